import { expect, test } from 'vitest';
import { createMemoryStore } from './memory.ts';
import { readOnce } from './read-once.ts';
import { ConflictError, type StateStore } from './store.ts';

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('utf8');

/** A store, the view of it, and what the view has asked of it. */
function watched() {
  const store = createMemoryStore();
  const asked: string[] = [];
  const view = readOnce({
    ...store,
    read: (path, signal) => {
      asked.push(`read ${path}`);
      return store.read(path, signal);
    },
    list: (prefix, signal) => {
      asked.push(`list ${prefix}`);
      return store.list(prefix, signal);
    },
  });
  return { store, view, asked };
}

test('an object and a listing are asked for once, and one that is absent as well', async () => {
  const { store, view, asked } = watched();
  await store.write('a/x', Buffer.from('1'), { ifAbsent: true });
  await Promise.all([view.read('a/x'), view.read('a/x'), view.read('a/y'), view.list('a/')]);
  await Promise.all([view.read('a/x'), view.read('a/y'), view.list('a/')]);
  expect(asked.toSorted()).toEqual(['list a/', 'read a/x', 'read a/y']);
});

test('what is written through the view is read again, and what was refused too', async () => {
  const { store, view } = watched();
  expect(await view.read('a/x')).toBeUndefined();
  await view.write('a/x', Buffer.from('1'), { ifAbsent: true });
  const first = await view.read('a/x');
  expect(text(first?.bytes)).toBe('1');
  await store.write('a/x', Buffer.from('2'), { ifVersion: first?.version ?? '' });
  const late = view.write('a/x', Buffer.from('3'), { ifVersion: first?.version ?? '' });
  await expect(late).rejects.toThrow(ConflictError);
  expect(text((await view.read('a/x'))?.bytes)).toBe('2');
  await view.delete('a/x');
  expect(await view.list('a/')).toEqual([]);
});

test('a large object is not kept in memory', async () => {
  const { store, view, asked } = watched();
  await store.write('plan', Buffer.alloc(64 * 1024), { ifAbsent: true });
  await view.read('plan');
  await view.read('plan');
  expect(asked).toEqual(['read plan', 'read plan']);
});

test('a read that another caller has ended is made again, and a failure is not remembered', async () => {
  const store = createMemoryStore();
  await store.write('x', Buffer.from('1'), { ifAbsent: true });
  const failures = [new Error('ended by its caller'), new Error('the store is away')];
  const flaky: StateStore = {
    ...store,
    read: async (path, signal) => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return store.read(path, signal);
    },
  };
  const view = readOnce(flaky);
  const [first, second] = await Promise.allSettled([view.read('x'), view.read('x')]);
  expect([first.status, second.status]).toEqual(['rejected', 'rejected']);
  expect(text((await view.read('x'))?.bytes)).toBe('1');
});
