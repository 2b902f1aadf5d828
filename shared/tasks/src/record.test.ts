import { describe, expect, it } from 'vitest';
import { asRecord, isRecord } from './record.ts';

describe('isRecord', () => {
  it.each([[{}], [{ a: 1 }], [Object.create(null)]])('an object of named fields is one: %j', (value) => {
    expect(isRecord(value)).toBe(true);
  });

  it.each([[null], [undefined], [[]], [[{ a: 1 }]], ['text'], [0], [true], [() => ({})]])(
    'anything else is not: %j',
    (value) => {
      expect(isRecord(value)).toBe(false);
    },
  );
});

describe('asRecord', () => {
  it('reads the fields of an object, and none of anything else', () => {
    expect(asRecord({ a: 1 })['a']).toBe(1);
    expect([null, undefined, ['x'], 'text', 7].map(asRecord)).toEqual([{}, {}, {}, {}, {}]);
  });
});
