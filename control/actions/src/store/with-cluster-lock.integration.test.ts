import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test, vi } from 'vitest';
import { findHolder, lockPath, withClusterLock } from './with-cluster-lock.ts';

vi.mock('node:os', async (original) => ({
  ...(await original<typeof import('node:os')>()),
  // As in a container that runs as a user without an entry in /etc/passwd.
  userInfo: () => {
    throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT (no such file or directory)');
  },
}));

test('A user without a name takes the lock of a cluster, under their number', async () => {
  const store = createMemoryStore();
  const context = { signal: new AbortController().signal, onEvent: () => {} };
  const holder = await withClusterLock(store, 'demo.example.com', 'apply', context, () =>
    findHolder(store, lockPath('demo.example.com'), Date.now()),
  );
  expect(holder?.owner).toMatch(/^uid \d+@.+ \(process \d+\)$/);
});
