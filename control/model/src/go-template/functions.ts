import { isRecord } from '@kopsctl/tasks/record.ts';
import type { TemplateFunction } from './evaluate.ts';
import { isList, isTrue, shown, type Value } from './values.ts';

const number = (value: Value): number => {
  const found = typeof value === 'boolean' ? Number(value) : Number.parseFloat(shown(value));
  return Number.isNaN(found) ? 0 : found;
};
const list = (value: Value): readonly Value[] => (isList(value) ? value : value === undefined ? [] : [value]);
const order = (a: Value, b: Value): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [shown(a), shown(b)];
  return left < right ? -1 : left > right ? 1 : 0;
};
const isSame = (a: Value, b: Value): boolean => JSON.stringify(a) === JSON.stringify(b);
const padded = (width: Value, text: Value): string => shown(text).replace(/^(?=[^])/gm, ' '.repeat(number(width)));
const pairs = (args: readonly Value[]): { readonly [key: string]: Value } =>
  Object.fromEntries(
    args.flatMap((key, index): [string, Value][] => (index % 2 === 0 ? [[shown(key), args[index + 1] ?? '']] : [])),
  );

/** Go's fmt.Sprintf, as far as templates of specs use it. */
function formatted(format: Value, args: readonly Value[]): string {
  let next = 0;
  return shown(format).replace(
    /%(%|([-+ 0]*)(\d+)?(?:\.(\d+))?([a-zA-Z]))/g,
    (_whole, all, flags, width, digits, verb) => {
      if (all === '%') return '%';
      const value = args[next++];
      const text =
        verb === 'q'
          ? JSON.stringify(shown(value))
          : verb === 'd'
            ? String(Math.trunc(number(value)))
            : verb === 'f'
              ? number(value).toFixed(digits === undefined ? 6 : Number(digits))
              : shown(value);
      const size = Number(width ?? 0);
      if (String(flags).includes('-')) return text.padEnd(size);
      return text.padStart(size, String(flags).includes('0') ? '0' : ' ');
    },
  );
}

/** The functions that text/template itself has. */
const BUILT_IN: Readonly<Record<string, TemplateFunction>> = {
  not: (value) => !isTrue(value),
  eq: (first, ...others) => others.some((other) => isSame(first, other)),
  ne: (a, b) => !isSame(a, b),
  lt: (a, b) => order(a, b) < 0,
  le: (a, b) => order(a, b) <= 0,
  gt: (a, b) => order(a, b) > 0,
  ge: (a, b) => order(a, b) >= 0,
  len: (value) => (isRecord(value) ? Object.keys(value).length : isList(value) ? value.length : shown(value).length),
  index: (value, ...keys) =>
    keys.reduce((of: Value, key) => (isList(of) ? of[number(key)] : isRecord(of) ? of[shown(key)] : undefined), value),
  print: (...args) => args.map(shown).join(''),
  println: (...args) => `${args.map(shown).join(' ')}\n`,
  printf: (format, ...args) => formatted(format, args),
};

const TEXT: Readonly<Record<string, TemplateFunction>> = {
  upper: (text) => shown(text).toUpperCase(),
  lower: (text) => shown(text).toLowerCase(),
  title: (text) => shown(text).replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  trim: (text) => shown(text).trim(),
  trimAll: (cut, text) => trimmed(shown(text), shown(cut)),
  trimPrefix: (prefix, text) =>
    shown(text).startsWith(shown(prefix)) ? shown(text).slice(shown(prefix).length) : text,
  trimSuffix: (suffix, text) =>
    shown(suffix) !== '' && shown(text).endsWith(shown(suffix)) ? shown(text).slice(0, -shown(suffix).length) : text,
  hasPrefix: (prefix, text) => shown(text).startsWith(shown(prefix)),
  hasSuffix: (suffix, text) => shown(text).endsWith(shown(suffix)),
  contains: (part, text) => shown(text).includes(shown(part)),
  replace: (from, to, text) => shown(text).replaceAll(shown(from), () => shown(to)),
  repeat: (count, text) => shown(text).repeat(number(count)),
  trunc: (size, text) => (number(size) < 0 ? shown(text).slice(number(size)) : shown(text).slice(0, number(size))),
  substr: (start, end, text) => shown(text).slice(number(start), number(end) < 0 ? undefined : number(end)),
  quote: (...args) => args.map((one) => JSON.stringify(shown(one))).join(' '),
  squote: (...args) => args.map((one) => `'${shown(one)}'`).join(' '),
  indent: (width, text) => padded(width, text),
  nindent: (width, text) => `\n${padded(width, text)}`,
  join: (separator, items) => list(items).map(shown).join(shown(separator)),
  splitList: (separator, text) => shown(text).split(shown(separator)),
  split: (separator, text) =>
    Object.fromEntries(
      shown(text)
        .split(shown(separator))
        .map((part, at) => [`_${at}`, part]),
    ),
  toString: (value?: Value) => shown(value),
  b64enc: (text) => Buffer.from(shown(text)).toString('base64'),
  b64dec: (text) => Buffer.from(shown(text), 'base64').toString('utf8'),
};

function trimmed(text: string, cut: string): string {
  let [start, end] = [0, text.length];
  while (start < end && cut.includes(text.charAt(start))) start++;
  while (end > start && cut.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

const DATA: Readonly<Record<string, TemplateFunction>> = {
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  empty: (value) => !isTrue(value),
  coalesce: (...args) => args.find(isTrue),
  ternary: (yes, no, condition) => (isTrue(condition) ? yes : no),
  required: (message, value) => {
    if (value === undefined || value === null || value === '') throw new Error(shown(message));
    return value;
  },
  fail: (message) => {
    throw new Error(shown(message));
  },
  list: (...args) => args,
  tuple: (...args) => args,
  first: (items) => list(items)[0],
  last: (items) => list(items).at(-1),
  rest: (items) => list(items).slice(1),
  initial: (items) => list(items).slice(0, -1),
  append: (items, item) => [...list(items), item],
  prepend: (items, item) => [item, ...list(items)],
  concat: (...lists) => lists.flatMap(list),
  uniq: (items) => list(items).filter((item, at, all) => all.findIndex((one) => isSame(one, item)) === at),
  without: (items, ...gone) => list(items).filter((item) => !gone.some((one) => isSame(one, item))),
  has: (item, items) => list(items).some((one) => isSame(one, item)),
  sortAlpha: (items) => list(items).map(shown).toSorted(),
  reverse: (items) => list(items).toReversed(),
  until: (count) => Array.from({ length: number(count) }, (_, at) => at),
  dict: (...args) => pairs(args),
  get: (map, key) => (isRecord(map) ? (map[shown(key)] ?? '') : ''),
  hasKey: (map, key) => isRecord(map) && Object.hasOwn(map, shown(key)),
  keys: (...maps) => maps.flatMap((map) => (isRecord(map) ? Object.keys(map) : [])),
  values: (map) => (isRecord(map) ? Object.values(map) : []),
  merge: (...maps) => Object.assign({}, ...maps.filter(isRecord).toReversed()),
  toJson: (value) => JSON.stringify(value ?? null),
  kindIs: (kind, value) => shown(kind) === kindOf(value),
  kindOf: (value) => kindOf(value),
};

function kindOf(value: Value): string {
  if (isList(value)) return 'slice';
  if (isRecord(value)) return 'map';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float64';
  return typeof value === 'string' ? 'string' : 'invalid';
}

const NUMBERS: Readonly<Record<string, TemplateFunction>> = {
  int: (value) => Math.trunc(number(value)),
  int64: (value) => Math.trunc(number(value)),
  float64: (value) => number(value),
  add: (...args) => args.reduce<number>((sum, one) => sum + number(one), 0),
  add1: (value) => number(value) + 1,
  sub: (a, b) => number(a) - number(b),
  mul: (...args) => args.reduce<number>((product, one) => product * number(one), 1),
  div: (a, b) => Math.trunc(number(a) / number(b)),
  mod: (a, b) => number(a) % number(b),
  max: (...args) => Math.max(...args.map(number)),
  min: (...args) => Math.min(...args.map(number)),
};

/** The functions of text/template, and those of sprig that specs are written with. */
export const TEMPLATE_FUNCTIONS: Readonly<Record<string, TemplateFunction>> = {
  ...BUILT_IN,
  ...TEXT,
  ...DATA,
  ...NUMBERS,
};
