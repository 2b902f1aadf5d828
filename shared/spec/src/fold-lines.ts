/** go-yaml's `best_width`: after this column, a text may continue on the next line. */
const WIDTH = 80;

/**
 * Breaks long texts in printed YAML where Go's YAML, and therefore kops, breaks them: at the first single space beyond
 * column 80, with the rest indented by two columns from the key or the item's dash. It reads back as the same values.
 */
export function foldLines(yaml: string): string {
  const folded: string[] = [];
  // The lines of a block text (`|`) are to the right of this column.
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

/**
 * Where the text of a line begins, and where it continues on the next one. `key` is set if the line is a key or an item.
 */
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
  // Go counts columns in characters, not in UTF-16 code units.
  let column = Array.from(out).length;
  for (let at = start; at < line.length;) {
    const character = String.fromCodePoint(line.codePointAt(at) ?? 0);
    // YAML drops a tab or a second space next to the break, and an escaped space cannot be broken.
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
