import { array, assert, constantFrom, dictionary, option, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import type { SpecChange } from './spec-change.ts';
import { specAt } from './spec-at.ts';

const PATHS = ['config', 'instancegroup/nodes', 'instancegroup/more'];

/** Writes and deletions one after the other, with what the spec was after each. */
const histories = array(dictionary(constantFrom(...PATHS), option(string(), { nil: null }), { minKeys: 1 }), {
  maxLength: 8,
}).map((commands) => {
  const states: ReadonlyMap<string, string>[] = [new Map()];
  const changes: SpecChange[] = [];
  for (const [index, writes] of commands.entries()) {
    const before = states.at(-1) ?? new Map<string, string>();
    const after = new Map(before);
    for (const [path, text] of Object.entries(writes)) {
      if (text === null) after.delete(path);
      else after.set(path, text);
    }
    const objects = Object.keys(writes).map((path) => ({ path, before: before.get(path) ?? null, after: null }));
    changes.push({ number: index + 1, at: '', who: '', command: '', objects });
    states.push(after);
  }
  return { states, changes };
});

test('every point of a history is what the spec was then', () => {
  assert(
    property(histories, ({ states, changes }) => {
      const now = states.at(-1) ?? new Map<string, string>();
      for (const [point, state] of states.entries()) expect(specAt(now, changes, point)).toEqual(state);
    }),
  );
});
