import * as fc from 'fast-check';
import type { Field } from '../schema/field.ts';

/** Words and punctuation of YAML, long enough for several lines. */
const long = fc
  .array(
    fc.oneof(
      fc.constantFrom('a', '-', '#', ':', '?', '|', "'", '"', '&x', '*x', 'it\'s', 'x:', '', '{', '\\', 'ö', '🙂', '---'),
      fc.string({ maxLength: 30 }),
    ),
    { minLength: 10, maxLength: 60 },
  )
  .map((words) => words.join(' '));

const text = fc.oneof(
  fc.string(),
  long,
  fc.constantFrom('yes', 'on', '012', '1.20', 'null', '~', '- x', 'a: b', '#', '1e3', '0x1F', '2017-01-01', ' x '),
);

/** Any value that a field may have. Objects get only a few of their fields; otherwise the values would be huge. */
export function anyValueOf(field: Field, depth = 0): fc.Arbitrary<unknown> {
  if (typeof field === 'string') return SCALARS[field];
  if (field.type === 'enum') return fc.constantFrom(...field.words);
  const maxLength = depth > 3 ? 1 : 3;
  if (field.type === 'list') return fc.array(anyValueOf(field.item, depth + 1), { maxLength });
  if (field.type === 'map') return fc.dictionary(text, anyValueOf(field.item, depth + 1), { maxKeys: maxLength });
  const entries = Object.entries(field.fields);
  if (entries.length === 0) return fc.constant({});
  return fc
    .uniqueArray(fc.nat(entries.length - 1), { maxLength: depth < 2 ? 12 : 4 })
    .chain((picked) =>
      fc.record(
        Object.fromEntries(
          picked.flatMap((index) => {
            const [name, inner] = entries[index] ?? [];
            return name === undefined || inner === undefined ? [] : [[name, anyValueOf(inner, depth + 1)]];
          }),
        ),
      ),
    )
    .map((value) => ({ ...value }));
}

const SCALARS = {
  string: text,
  bool: fc.boolean(),
  int: fc.maxSafeInteger(),
  int32: fc.integer(),
  number: fc.double({ noNaN: true, noDefaultInfinity: true }),
  // As they are read, and so as they are stored.
  quantity: fc.constantFrom('0', '100m', '1536Mi', '2e3', '20k'),
  duration: fc.constantFrom('0s', '30s', '1h2m3.5s', '-5ms'),
  'int-or-string': fc.oneof(fc.nat(), fc.constantFrom('25%', 'http')),
  anything: fc.constant({ a: [1, 'x', null] }),
} satisfies Record<Extract<Field, string>, fc.Arbitrary<unknown>>;
