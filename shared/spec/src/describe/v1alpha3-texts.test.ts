import { expect, test } from 'vitest';
import { isKind } from '../kinds.ts';
import { MOVES } from '../versions/moves.ts';
import { V1ALPHA3_TEXTS } from './v1alpha3-texts.ts';
import { walkField } from './walk-fields.ts';

test('every text describes a field of v1alpha3', () => {
  for (const [kind, texts] of Object.entries(V1ALPHA3_TEXTS)) {
    if (!isKind(kind)) throw new Error(`${kind} is not a kind`);
    for (const [path, text] of Object.entries(texts)) {
      expect(walkField(kind, `spec.${path}`, { version: 'v1alpha3' }).text).toBe(text);
    }
  }
});

test('a field whose value is the opposite of that in v1alpha2 does not have the text of v1alpha2', () => {
  const inverted = Object.entries(MOVES).flatMap(([kind, moves]) =>
    moves.flatMap(({ v1alpha3, rewrite }) => (rewrite === 'inverted' && isKind(kind) ? [{ kind, v1alpha3 }] : [])),
  );
  expect(inverted.length).toBeGreaterThan(5);
  const paths = inverted.map(({ kind, v1alpha3 = '' }) => ({ kind, path: v1alpha3.replaceAll('[]', '') }));
  const texts = (kind: keyof typeof V1ALPHA3_TEXTS) => Object.keys(V1ALPHA3_TEXTS[kind] ?? {});
  expect(paths.filter(({ kind, path }) => !texts(kind).includes(path.replace(/^spec\./, '')))).toEqual([]);
});
