import { expect, test } from 'vitest';
import { readEverything } from './read-everything.ts';

test('what expires while etcd reads its database does not count against the backup', async () => {
  let revision = 7;
  let keys = 3;
  const etcd = {
    hashKeys: async () => {
      // The lease of a key runs out.
      revision += 1;
      keys -= 1;
      return 42;
    },
    countKeys: async () => ({ keys, revision }),
  };
  expect(await readEverything(etcd, AbortSignal.timeout(1_000))).toEqual({ revision: 7, keys: 3, hash: 42 });
});
