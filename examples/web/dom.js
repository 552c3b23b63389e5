// SPDX-License-Identifier: CC0-1.0

/** An element with properties and children: h('button', { type: 'button', onclick }, 'Go'). */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name in element && name !== 'list') element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

/** A path as something to press that selects its prim. */
export function pathLink(path, select) {
  return h('button', { type: 'button', className: 'path', onclick: () => select(path) }, path);
}

/** A figure as people read it. */
export function figure(value) {
  if (typeof value !== 'number') return String(value);
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
}

/** A list of names and values. */
export function facts(entries) {
  return h('dl', {}, Object.entries(entries).flatMap(([name, value]) => [
    h('dt', {}, name), h('dd', {}, value instanceof Node ? value : Array.isArray(value) ? value.map(figure).join(', ') : figure(value)),
  ]));
}

export function checkbox(label, checked, onchange) {
  const input = h('input', { type: 'checkbox', checked });
  input.addEventListener('change', () => onchange(input.checked));
  return h('label', { className: 'check' }, input, ` ${label}`);
}

export function choice(label, values, selected, onchange) {
  const select = h('select', {}, values.map((value) => h('option', { value, selected: value === selected }, value || '(none)')));
  select.addEventListener('change', () => onchange(select.value));
  return h('label', {}, `${label} `, select);
}
