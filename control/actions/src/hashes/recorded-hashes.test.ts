import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { recordedHashes, recordHashes } from './recorded-hashes.ts';

const hash = 'a'.repeat(64);

test('what was recorded is read back, and nothing is recorded where nothing was read', async () => {
  const [task] = recordHashes(
    new Map([
      ['https://b.test/x', hash],
      ['https://a.test/x', hash],
    ]),
  );
  const store = createMemoryStore();
  const content: unknown = task?.props['content'];
  if (typeof content !== 'string') throw new Error('no content');
  await store.write('demo.test/file-hashes.json', new TextEncoder().encode(content), { ifAbsent: true });
  expect([...(await recordedHashes(store, 'demo.test')).keys()]).toEqual(['https://a.test/x', 'https://b.test/x']);
  expect(await recordedHashes(store, 'other.test')).toEqual(new Map());
  expect(recordHashes(new Map())).toEqual([]);
});

test.each(['no json', '[]', '{"https://a.test/x":"short"}'])('%s is refused, not taken for hashes', async (text) => {
  const store = createMemoryStore();
  await store.write('demo.test/file-hashes.json', new TextEncoder().encode(text), { ifAbsent: true });
  await expect(recordedHashes(store, 'demo.test')).rejects.toThrow('demo.test/file-hashes.json');
});
