/** go-yaml: `best_width`, after which a text may go on in the next line. */
const WIDTH = 80;

/**
 * Breaks the long texts of printed YAML where Go's YAML, and so kops, breaks them: at the first single space beyond 80
 * columns, the rest two columns right of the key or of the item's dash. Reads back as the same values.
 */
export function foldLines(yaml: string): string {
  const folded: string[] = [];
  // The column that the lines of a block text (`|`) are right of.
  let block: number | undefined;
  for (const line of yaml.split('\n')) {
    const [spaces = ''] = /^ */.exec(line) ?? [];
    if (block !== undefined && (line.trim() === '' || spaces.length > block)) {
      folded.push(line);
      continue;
    }
    const { at, indent, key } = textOf(line);
    block = /^[|>][-+\d]*$/.test(line.slice(at)) ? indent - 2 : undefined;
    folded.push(key && line.length > WIDTH ? fold(line, at, indent) : line);
  }
  return folded.join('\n');
}

/** Where the text of a line begins, and where it goes on in the next one. `key`: it is a key's or an item's. */
function textOf(line: string): { readonly at: number; readonly indent: number; readonly key: boolean } {
  const [dashes = ''] = /^ *(- )*/.exec(line) ?? [];
  const rest = line.slice(dashes.length);
  const [key] = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^'" ][^:]*(?::[^ ][^:]*)*):(?: |$)/.exec(rest) ?? [];
  if (/^[?:] /.test(rest)) return { at: dashes.length, indent: dashes.length, key: false };
  return key === undefined
    ? { at: dashes.length, indent: dashes.length, key: dashes.endsWith('- ') }
    : { at: dashes.length + key.length, indent: dashes.length + 2, key: true };
}

function fold(line: string, start: number, indent: number): string {
  const quote = /^["']/.exec(line.slice(start))?.[0] ?? '';
  const last = line.length - 1 - quote.length;
  let out = line.slice(0, start);
  // Columns are counted in characters, as Go does, whatever they take in UTF-16.
  let column = Array.from(out).length;
  for (let at = start; at < line.length;) {
    const character = String.fromCodePoint(line.codePointAt(at) ?? 0);
    // YAML drops a tab or a second space beside the break, and an escaped space cannot be broken.
    const mayBreak = character === ' ' && !/[ \t\\]/.test(line[at - 1] ?? '') && !/[ \t]/.test(line[at + 1] ?? '');
    if (mayBreak && column > WIDTH && at > start + quote.length && at < last) {
      out += `\n${' '.repeat(indent)}`;
      column = indent;
    } else {
      out += character;
      column += 1;
    }
    at += character.length;
  }
  return out;
}
