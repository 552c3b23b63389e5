// SPDX-License-Identifier: Apache-2.0
// Keeps LLVM before 23 from a fault that it has where functions return several values (its issue
// 98323, mended in June 2026): what is computed from the first of them alone, such as whether it is
// null, is put on WebAssembly's stack with the call, above the other values, which are then read before
// the call has returned them. A value that passes through an empty piece of assembly is not put there,
// and what wasm-opt makes of it is no longer.

/** The types of a module of LLVM's textual form. */
class Types {
  /** Of the lines "%name = type ...". */
  constructor(lines) {
    this.named = new Map();
    for (const line of lines) {
      const found = /^(%"[^"]*"|%[\w.$-]+) = type (.*)/.exec(line);
      if (found && found[2] !== 'opaque') this.named.set(found[1], found[2]);
    }
  }

  /** The type that begins at a place of a line: the members that it is made of, and where it ends. */
  parse(text, at) {
    while (text[at] === ' ') ++at;
    const start = /<?\{|\[(\d+) x|<[^>{]*>|%"[^"]*"|%[\w.$-]+|\w+/y;
    start.lastIndex = at;
    const opening = start.exec(text);
    if (!opening) throw new Error(`no type at ${at} of: ${text}`);
    const [name, count] = opening;
    at += name.length;
    if (count !== undefined) {
      const { members, end } = this.parse(text, at);
      return { members: Array(Number(count)).fill(members), end: text.indexOf(']', end) + 1 };
    }
    if (name.startsWith('%')) {
      if (!this.named.has(name)) throw new Error(`unknown type: ${name}`);
      return { members: this.parse(this.named.get(name), 0).members, end: at };
    }
    if (!name.endsWith('{')) return { members: name, end: at };
    const closing = name === '{' ? '}' : '}>';
    const members = [];
    for (;;) {
      while (text[at] === ' ' || text[at] === ',') ++at;
      if (text.startsWith(closing, at)) return { members, end: at + closing.length };
      const member = this.parse(text, at);
      members.push(member.members);
      at = member.end;
    }
  }
}

/** The values that a type is made of, in order: where each stands, and its type. */
function* valuesOf(members, path = []) {
  if (typeof members === 'string') yield { path, type: members };
  else for (const [i, member] of members.entries()) yield* valuesOf(member, [...path, i]);
}

/** A program, in LLVM's textual form, in which the first of several results is guarded. */
export function guardResults(program) {
  const lines = program.split('\n');
  const types = new Types(lines);
  let guarded = 0;
  for (const [i, line] of lines.entries()) {
    // A call, its calling convention and attributes.
    const call = /^( +)(%\S+) = ((?:tail |notail )?call (?:[a-z_]+(?:\([^)]*\))? )*)(?=[{<[%])/.exec(line);
    if (!call) {
      const start = /^ +\S+ = (?:\w+ )?(?:call|invoke|callbr) (.*?)[@%](?:[\w.$-]+|"[^"]*")\(/.exec(line);
      if (start && /[{[%]/.test(start[1])) throw new Error(`not known what is returned: ${line}`);
      continue;
    }
    const [before, indent, name, start] = call;
    const { members, end } = types.parse(line, before.length);
    if (line.startsWith('@llvm.', end + 1)) continue;
    const [first, second] = valuesOf(members);
    if (!second) continue;
    const type = line.slice(before.length, end);
    const of = (what) => `%guard.${guarded}.${what}`;
    const at = first.path.join(', ');
    lines[i] = [
      `${of('all')} = ${start}${line.slice(before.length)}`,
      `${of('first')} = extractvalue ${type} ${of('all')}, ${at}`,
      `${of('kept')} = call ${first.type} asm "", "=r,0"(${first.type} ${of('first')})`,
      `${name} = insertvalue ${type} ${of('all')}, ${first.type} ${of('kept')}, ${at}`,
    ].map((each) => indent + each).join('\n');
    ++guarded;
  }
  return lines.join('\n');
}
