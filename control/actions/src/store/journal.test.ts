import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { changeWishOf, type JournalEntry, type JournalKind, openJournalOf } from './journal.ts';

interface Work extends JournalEntry {
  readonly done: number;
}
const WORK: JournalKind<Work> = {
  path: (cluster) => `${cluster}/work.json`,
  // What the tests write.
  parse: (json) => json as Work,
  of: 'work',
  afterDeletion: 'begin again',
};
const SIGNAL = new AbortController().signal;

async function opened() {
  const store = createMemoryStore();
  const open = () => openJournalOf(WORK, store, 'demo', SIGNAL);
  const journal = await open();
  await journal.write({ id: 'one', done: 1 });
  return { store, open, journal };
}

test('what people ask for in the meantime is kept', async () => {
  const { store, journal } = await opened();
  await changeWishOf(WORK, store, 'demo', (entry) => ({ ...entry, wish: 'pause' }), SIGNAL);
  expect(await journal.write({ id: 'one', done: 2 })).toEqual({ id: 'one', done: 2, wish: 'pause' });
  await changeWishOf(WORK, store, 'demo', (entry) => ({ ...entry, wish: 'abort' }), SIGNAL);
  expect(await journal.refresh()).toEqual({ id: 'one', done: 2, wish: 'abort' });
  expect(await journal.write({ id: 'one', done: 3, wish: 'abort' })).toEqual({ id: 'one', done: 3, wish: 'abort' });
});

test.each([
  ['goes on with the same work', { id: 'one', done: 2 }],
  ['begins another one', { id: 'two', done: 0 }],
])('a process that was away while somebody else %s neither reads nor writes any more', async (_what, theirs) => {
  const { open, journal } = await opened();
  const other = await open();
  await other.write(theirs);
  await expect(journal.write({ id: 'one', done: 5 })).rejects.toThrow('somebody else');
  await expect(journal.refresh()).rejects.toThrow('somebody else');
  await expect(journal.write({ id: 'one', done: 5 })).rejects.toThrow('somebody else');
  expect(await other.refresh()).toEqual(theirs);
});
