import type { TopBlock } from './kind.ts';
import { Blocks, type Body, Expression, type Value } from './value.ts';

/**
 * Formats a configuration as `terraform fmt` does. Deterministic: blocks are sorted by type and labels, arguments by
 * name.
 */
export function printHcl(blocks: readonly TopBlock[]): string {
  const sorted = blocks.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  return sorted.map(printBlock).join('\n');
}

/** Formats a value at a depth of indentation. */
export function printValue(value: Value, depth: number): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Expression) return value.text;
  if (value instanceof Blocks) throw new Error('a block is not a value');
  return isList(value) ? printList(value, depth) : printMap(value, depth);
}

/** A string of HCL. Text that looks like a template is escaped. */
export function quote(text: string): string {
  return (
    JSON.stringify(text)
      // In a replacement, $$ means a single $.
      .replaceAll('${', '$$$${')
      .replaceAll('%{', '%%{')
      .replaceAll(/(?<!\\)((?:\\\\)*)\\([bf])/g, (_all, before: string, escape: string) =>
        escape === 'b' ? String.raw`${before}\u0008` : String.raw`${before}\u000c`,
      )
  );
}

const key = ({ type, labels }: TopBlock): string => [type, ...labels].join('\u0000');

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

const indent = (depth: number): string => '  '.repeat(depth);

function printBlock({ type, labels, body }: TopBlock): string {
  const head = [type, ...labels.map(quote)].join(' ');
  return `${[`${head} {`, ...bodyLines(body, 1), '}'].join('\n')}\n`;
}

function bodyLines(body: Body, depth: number): readonly string[] {
  const entries = Object.entries(body).flatMap(([name, value]): readonly Entry[] => {
    if (value === undefined || value === null) return [];
    if (!(value instanceof Blocks)) return [{ name, text: printValue(value, depth) }];
    const nested = value.bodies.flatMap((one) => [
      `${indent(depth)}${name} {`,
      ...bodyLines(one, depth + 1),
      `${indent(depth)}}`,
    ]);
    return [{ name, nested }];
  });
  return aligned(entries, depth);
}

type Entry =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly nested: readonly string[] };

/** Sorted by name. The equal signs of consecutive single-line attributes are aligned. */
function aligned(entries: readonly Entry[], depth: number): readonly string[] {
  const lines: string[] = [];
  let run: { readonly name: string; readonly text: string }[] = [];
  const flush = () => {
    const width = Math.max(0, ...run.map(({ name }) => name.length));
    for (const { name, text } of run) lines.push(`${indent(depth)}${name.padEnd(width)} = ${text}`);
    run = [];
  };
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if ('text' in entry && !entry.text.includes('\n')) {
      run.push(entry);
      continue;
    }
    flush();
    if ('nested' in entry) lines.push(...entry.nested);
    else lines.push(`${indent(depth)}${entry.name} = ${entry.text}`);
  }
  flush();
  return lines;
}

function printList(items: readonly Value[], depth: number): string {
  const texts = items.map((item) => printValue(item, depth + 1));
  if (!texts.some((text) => text.includes('\n'))) return `[${texts.join(', ')}]`;
  return `[\n${texts.map((text) => `${indent(depth + 1)}${text},\n`).join('')}${indent(depth)}]`;
}

function printMap(map: { readonly [key: string]: Value | undefined }, depth: number): string {
  const entries = Object.entries(map).flatMap(([name, value]): readonly Entry[] =>
    value === undefined ? [] : [{ name: quote(name), text: printValue(value, depth + 1) }],
  );
  return entries.length === 0 ? '{}' : `{\n${aligned(entries, depth + 1).join('\n')}\n${indent(depth)}}`;
}
