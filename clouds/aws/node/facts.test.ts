import { expect, test } from 'vitest';
import { readAccount } from './facts.ts';

test('the account is the owner of the primary network interface', async () => {
  const answers: Readonly<Record<string, string>> = {
    mac: '02:00:00:00:00:01',
    'network/interfaces/macs/02:00:00:00:00:01/owner-id': '123456789012',
    'network/interfaces/macs/02:00:00:00:00:02/owner-id': '999999999999',
  };
  const metadata = { read: (path: string) => Promise.resolve(answers[path] ?? '') };
  expect(await readAccount(metadata, new AbortController().signal)).toBe('123456789012');
});
