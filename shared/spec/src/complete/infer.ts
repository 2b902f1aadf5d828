import { isRecord } from '@kopsctl/tasks/record.ts';
import { fieldPath } from '../leaves.ts';

/** A value some parts of which may be missing. */
export type Inferred<T> = T extends string | number | boolean
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Inferred<Item>[]
    : { readonly [Name in keyof T]?: Inferred<T[Name]> | undefined };

/** The rule that set each inferred value, by path. */
export type Origins = Readonly<Record<string, string>>;

/** The paths of fields that no rule may set. */
type Open = ReadonlySet<string>;

const NONE: Open = new Set();

type Fields = Readonly<Record<string, unknown>>;

/**
 * Adds inferred values to known ones. Known values always win; as in kops, an empty text is none. Objects are filled field by field; lists of objects item
 * by item, matched by name, device or path (a known list gets no additional items); any other list counts as one value. What gets
 * nothing is returned as it is.
 *
 * @param origin is called with the path of each value that was added
 * @param open these paths get no value
 */
export function fillIn<T>(
  known: T,
  inferred: Inferred<NoInfer<T>>,
  path: string,
  origin: (path: string) => void,
  open: Open = NONE,
): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both are plain data of one schema, so the merge is too
  return merge(known, open.size === 0 ? inferred : leaveOpen(inferred, path, open), path, origin) as T;
}

function leaveOpen(inferred: unknown, path: string, open: Open): unknown {
  if (!isRecord(inferred)) return inferred;
  return Object.fromEntries(
    Object.entries(inferred)
      .filter(([name]) => !open.has(fieldPath(path, name)))
      .map(([name, value]) => [name, leaveOpen(value, fieldPath(path, name), open)]),
  );
}

function merge(known: unknown, inferred: unknown, path: string, origin: (path: string) => void): unknown {
  if (inferred === undefined) return known;
  if (known === undefined || isEmptyText(known, inferred, path)) {
    noteLeaves(inferred, path, origin);
    return withoutUndefined(inferred);
  }
  if (isRecord(known) && isRecord(inferred)) {
    let filled: Record<string, unknown> | undefined;
    for (const [name, value] of Object.entries(inferred)) {
      const there = known[name];
      // Most of what rules infer is there: no path is made for it.
      if (value === undefined || isSettled(there)) continue;
      const merged = merge(there, value, fieldPath(path, name), origin);
      if (merged !== there) (filled ??= { ...known })[name] = merged;
    }
    return filled ?? known;
  }
  if (Array.isArray(known) && Array.isArray(inferred)) {
    const byKey = new Map(inferred.filter(isRecord).map((item) => [keyOf(item), item]));
    return mapOrSame(known, (item: unknown, index) =>
      isRecord(item) && keyOf(item) !== undefined
        ? merge(item, byKey.get(keyOf(item)), `${path}[${index}]`, origin)
        : item,
    );
  }
  return known;
}

const isSettled = (known: unknown): boolean => known !== undefined && known !== '' && typeof known !== 'object';

/** A list of the results; the list itself where each is what it was. */
export function mapOrSame<T>(list: readonly T[], change: (item: T, index: number) => T): readonly T[] {
  const changed = list.map(change);
  return changed.some((item, index) => item !== list[index]) ? changed : list;
}

/**
 * Where an empty text is a wish of its own, in kops too: without a threshold, kubelet evicts no pod; without a name, no class is
 * the default one.
 */
const WISHED_EMPTY = /\.(evictionHard|defaultStorageClassName)$/;

const isEmptyText = (known: unknown, inferred: unknown, path: string): boolean =>
  known === '' && typeof inferred === 'string' && inferred !== '' && !WISHED_EMPTY.test(path);

/** The key that identifies an item of a list. Volumes have devices instead of names; files may only have paths. */
const keyOf = (item: Fields): unknown => item['name'] ?? item['device'] ?? item['path'];

function noteLeaves(value: unknown, path: string, origin: (path: string) => void): void {
  const fields = isRecord(value) ? Object.entries(value).filter(([, field]) => field !== undefined) : [];
  if (fields.length === 0) return origin(path);
  for (const [name, field] of fields) noteLeaves(field, fieldPath(path, name), origin);
}

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (!isRecord(value)) return value;
  const set = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(set.map(([name, field]) => [name, withoutUndefined(field)]));
}
