// SPDX-License-Identifier: Apache-2.0
// A script without comments, indentation and blanks that part nothing, a fifth less to load. Names
// stay as they are. For scripts that have no regular expressions, no template within a template,
// and whose statements end with semicolons.

const parts = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[^]*?\*\/|[^'"`/]+|\//g;

/** The text of a script, made shorter. */
export function compactScript(text) {
  const compact = text.match(parts).map((part) => {
    if (part.startsWith('//') || part.startsWith('/*')) return '';
    if (/^['"`]/.test(part)) return part;
    return part.replace(/[ \t]+/g, ' ').replace(/ ?\n ?/g, '\n').replace(/ ?([{}()[\],;:=<>*?&|!+\-%]) ?/g, '$1');
  });
  return `${compact.join('').replace(/\n+/g, '\n').replace(/([{}(\[,;])\n/g, '$1').trim()}\n`;
}
