import { isRecord } from '@kopsctl/tasks/record.ts';

/** The subset of TOML that configurations of container runtimes need. */
export type TomlValue = string | number | boolean | readonly string[] | TomlTable;

export interface TomlTable {
  readonly [key: string]: TomlValue | undefined;
}

/**
 * Prints a TOML document. The values of a table precede its subtables, as TOML requires. Undefined values are omitted.
 */
export function renderToml(document: TomlTable): string {
  return `${tableLines(document, []).join('\n').trim()}\n`;
}

function tableLines(table: TomlTable, path: readonly string[]): readonly string[] {
  const fields = Object.entries(table);
  const values = fields.flatMap(([key, value]) =>
    value === undefined || isRecord(value) ? [] : [`${keyText(key)} = ${valueText(value)}`],
  );
  const tables = fields.flatMap(([key, value]) => (isRecord(value) ? tableLines(value, [...path, key]) : []));
  // A table that contains only tables needs no header.
  if (path.length === 0 || (values.length === 0 && tables.length > 0)) return [...values, ...tables];
  return ['', `[${path.map(keyText).join('.')}]`, ...values, ...tables];
}

/** Keys of letters, digits, - and _ need no quotes. */
const keyText = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : basicString(key));

function valueText(value: Exclude<TomlValue, TomlTable>): string {
  if (typeof value === 'string') return basicString(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return `[${value.map(basicString).join(', ')}]`;
}

/** JSON's escapes are a subset of those of a TOML basic string; only DEL must be escaped as well. */
const basicString = (text: string): string => JSON.stringify(text).replaceAll('\u007f', String.raw`\u007f`);

/** The parts of a dotted key: `plugins."io.containerd.grpc.v1.cri".containerd` has three. Undefined for other text. */
export function parseDottedKey(text: string): readonly string[] | undefined {
  const parts: string[] = [];
  const part = /\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*(\.|$)/y;
  for (;;) {
    const found = part.exec(text);
    if (found === null) return undefined;
    const [, basic, literal, bare, end] = found;
    parts.push(basic === undefined ? (literal ?? bare ?? '') : unescaped(basic));
    if (end === '') return parts;
  }
}

const unescaped = (basic: string): string => basic.replaceAll(/\\(["\\])/g, '$1');

/** The table with an additional value at a path. Missing tables on the path are created. */
export function withValue(table: TomlTable, [key, ...rest]: readonly string[], value: TomlValue): TomlTable {
  if (key === undefined) return table;
  if (rest.length === 0) return { ...table, [key]: value };
  const inner = table[key];
  return { ...table, [key]: withValue(isRecord(inner) ? inner : {}, rest, value) };
}
