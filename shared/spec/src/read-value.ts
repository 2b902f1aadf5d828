import { isMap, isScalar, isSeq, type Document, type Node, type Scalar } from 'yaml';
import { isNameOfTheApi } from './api-names.ts';
import { canonicalDuration, canonicalQuantity } from './canonical-scalar.ts';
import { movedFieldHint } from './moved-fields.ts';
import { nearestName } from './nearest-name.ts';
import { isDuration, isInt32, isQuantity } from './scalar-syntax.ts';
import type { EnumField, Field, ObjectField, ScalarField } from './schema/field.ts';
import type { ApiVersion } from './versions/api-version.ts';
import { entriesOf, followAlias, type Entry } from './yaml-object.ts';

/** Limits aliases: with them, a small text can stand for a huge value, or for one that contains itself. */
const MAX_DEPTH = 100;
const MAX_NODES = 200_000;

/** The state of reading one document. */
export interface Reading {
  readonly kind: string;
  readonly version: ApiVersion;
  readonly document: Document;
  /** The position of each path in the text: that of a field's key, or of the start of a list item. */
  readonly offsets: Map<string, number>;
  readonly fault: Report;
  /** Told of a field that the API has, but not in its place; without it, such a field is a fault. */
  readonly misplaced: Report | undefined;
  nodesLeft: number;
}

/** Says what is wrong at a position of the text. */
export type Report = (offset: number, path: string, message: string, hint?: string) => void;

export const startReading = (
  kind: string,
  version: ApiVersion,
  document: Document,
  { fault, misplaced }: Pick<Reading, 'fault' | 'misplaced'>,
): Reading => ({
  kind,
  version,
  document,
  offsets: new Map(),
  fault,
  misplaced,
  nodesLeft: MAX_NODES,
});

/**
 * Reads a node as its field specifies and reports every fault. Unreadable values are omitted. Null is read as
 * `undefined`, because kops takes it for "not set".
 */
export function readValue(node: Node | undefined, field: Field, path: string, reading: Reading, depth = 0): unknown {
  if (node === undefined || isNull(node)) return undefined;
  if (tooLarge(node, path, reading, depth)) return undefined;
  if (field === 'anything') return readAnything(node, path, reading, depth);
  if (typeof field === 'string') return readScalar(node, field, path, reading);
  if (field.type === 'enum') return readWord(node, field, path, reading);
  if (field.type === 'list') {
    if (!isSeq(node)) return wrongType(node, 'a list', path, reading);
    return readItems(node.items, path, reading, (item, at) => readValue(item, field.item, at, reading, depth + 1));
  }
  if (!isMap(node)) return wrongType(node, 'a mapping', path, reading);
  const entries = readEntries(node, path, reading);
  if (field.type === 'object') return readObject(entries, field, path, reading, depth);
  return collect(entries, path, reading, ({ value }, at) => readValue(value, field.item, at, reading, depth + 1));
}

function readWord(node: Node, { words }: EnumField, path: string, reading: Reading): unknown {
  const text = readScalar(node, 'string', path, reading);
  if (typeof text !== 'string' || words.includes(text)) return text;
  const near = nearestName(text, words);
  const hint = near === undefined ? undefined : `did you mean ${near}?`;
  reading.fault(offsetOf(node), path, `expected one of ${words.join(', ')}, found '${text}'`, hint);
  return undefined;
}

function readObject(entries: readonly Entry[], field: ObjectField, path: string, reading: Reading, depth: number) {
  return collect(entries, path, reading, ({ key, value, offset }, at) => {
    const known = Object.hasOwn(field.fields, key) ? field.fields[key] : undefined;
    if (known !== undefined) return readValue(value, known, at, reading, depth + 1);
    const names = Object.keys(field.fields);
    const near = nearestName(key, names);
    const hint =
      movedFieldHint(reading.kind, at, reading.version) ??
      (near !== undefined
        ? `did you mean ${near}?`
        : names.length > 0 && names.length <= 8
          ? `known here: ${names.join(', ')}`
          : undefined);
    const { misplaced, fault } = reading;
    if (misplaced !== undefined && isNameOfTheApi(key)) {
      misplaced(offset, at, 'is not read here, and is left out, as kops leaves it out', hint);
    } else fault(offset, at, 'unknown field', hint);
    return undefined;
  });
}

/** Reads a value that has no schema. */
export function readAnything(node: Node | undefined, path: string, reading: Reading, depth = 0): unknown {
  if (node === undefined) return null;
  if (tooLarge(node, path, reading, depth)) return undefined;
  if (isScalar(node)) return node.value;
  if (isSeq(node)) {
    return readItems(node.items, path, reading, (item, at) => readAnything(item, at, reading, depth + 1));
  }
  if (isMap(node)) {
    return collect(readEntries(node, path, reading), path, reading, ({ value }, at) =>
      readAnything(value, at, reading, depth + 1),
    );
  }
  return undefined;
}

function readItems(
  items: readonly unknown[],
  path: string,
  reading: Reading,
  read: (item: Node, at: string) => unknown,
): unknown[] {
  const values: unknown[] = [];
  items.forEach((raw, index) => {
    const at = `${path}[${index}]`;
    const item = followAlias(raw, reading.document);
    if (item === undefined || isNull(item))
      return reading.fault(item === undefined ? 0 : offsetOf(item), at, 'this item is empty');
    reading.offsets.set(at, offsetOf(item));
    const value = read(item, at);
    if (value !== undefined) values.push(value);
  });
  return values;
}

/** Returns the entries of a mapping. A duplicate key is a fault, and its first value is used. */
function readEntries(map: Parameters<typeof entriesOf>[0], path: string, reading: Reading): readonly Entry[] {
  const seen = new Set<string>();
  return entriesOf(map, reading.document).filter(({ key, offset }) => {
    if (!seen.has(key)) return seen.add(key);
    reading.fault(offset, joinPath(path, key), 'this key is written twice', 'keep one of them');
    return false;
  });
}

function collect(
  entries: readonly Entry[],
  path: string,
  reading: Reading,
  read: (entry: Entry, at: string) => unknown,
): Record<string, unknown> {
  const pairs: [string, unknown][] = [];
  for (const entry of entries) {
    const at = joinPath(path, entry.key);
    reading.offsets.set(at, entry.offset);
    const value = read(entry, at);
    if (value !== undefined) pairs.push([entry.key, value]);
  }
  // Plain assignment would not work for a key named __proto__.
  return Object.fromEntries(pairs);
}

function readScalar(node: Node, field: Exclude<ScalarField, 'anything'>, path: string, reading: Reading): unknown {
  const { name, accepts, canonical } = SCALARS[field];
  if (!isScalar(node)) return wrongType(node, name, path, reading);
  const { value } = node;
  if (accepts(value)) return canonical === undefined ? value : canonical(String(value));
  if (field === 'string' && (typeof value === 'number' || typeof value === 'boolean')) {
    return wrongType(node, name, path, reading, `put it in quotes: "${sourceOf(node)}"`);
  }
  if (field === 'bool' && typeof value === 'string' && /^(true|false)$/i.test(value)) {
    return wrongType(node, name, path, reading, 'write it without quotes');
  }
  return wrongType(node, name, path, reading);
}

const SCALARS: Readonly<
  Record<
    Exclude<ScalarField, 'anything'>,
    {
      readonly name: string;
      readonly accepts: (value: unknown) => boolean;
      /** kops reads some values as numbers: written differently, they are the same value, and are stored and shown alike. */
      readonly canonical?: (text: string) => string;
    }
  >
> = {
  string: { name: 'a string', accepts: (value) => typeof value === 'string' },
  bool: { name: 'true or false', accepts: (value) => typeof value === 'boolean' },
  int: { name: 'an integer', accepts: (value) => Number.isSafeInteger(value) },
  int32: { name: 'an integer', accepts: (value) => typeof value === 'number' && isInt32(value) },
  number: { name: 'a number', accepts: (value) => Number.isFinite(value) },
  quantity: {
    name: 'a quantity such as 100m or 1Gi',
    accepts: (value) => Number.isFinite(value) || (typeof value === 'string' && isQuantity(value)),
    canonical: canonicalQuantity,
  },
  duration: {
    name: 'a duration such as 30s or 1h30m',
    accepts: (value) => typeof value === 'string' && isDuration(value),
    canonical: canonicalDuration,
  },
  'int-or-string': {
    name: 'an integer or a string',
    accepts: (value) => typeof value === 'string' || Number.isSafeInteger(value),
  },
};

function wrongType(node: Node, expected: string, path: string, reading: Reading, hint?: string): undefined {
  reading.fault(offsetOf(node), path, `expected ${expected}, found ${describe(node)}`, hint);
}

function describe(node: Node): string {
  if (isMap(node)) return 'a mapping';
  if (isSeq(node)) return 'a list';
  if (!isScalar(node)) return 'something else';
  if (typeof node.value === 'string') return `'${node.value.length > 60 ? `${node.value.slice(0, 57)}…` : node.value}'`;
  return typeof node.value === 'number' ? `the number ${sourceOf(node)}` : sourceOf(node);
}

function tooLarge(node: Node, path: string, reading: Reading, depth: number): boolean {
  reading.nodesLeft -= 1;
  if (depth <= MAX_DEPTH && reading.nodesLeft > 0) return false;
  if (depth > MAX_DEPTH || reading.nodesLeft === 0) {
    reading.fault(offsetOf(node), path, depth > MAX_DEPTH ? 'nested too deeply' : 'this document is too large');
  }
  return true;
}

const isNull = (node: Node): boolean => isScalar(node) && node.value === null;
const sourceOf = (node: Scalar): string => node.source ?? String(node.value);

/** The offset of a node in the text. */
export const offsetOf = (node: Node): number => node.range?.[0] ?? 0;

/** Joins `spec` and `a.b/c` to `spec["a.b/c"]`, so that the path can be parsed again. */
export function joinPath(path: string, key: string): string {
  if (!/^[\w-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
