import { describe, expect, test } from 'vitest';
import { readAccount, readFacts } from './facts.ts';
import type { OpenedMetadata } from './metadata.ts';

const { signal } = new AbortController();

test('the account is the owner of the primary network interface', async () => {
  const answers: Readonly<Record<string, string>> = {
    mac: '02:00:00:00:00:01',
    'network/interfaces/macs/02:00:00:00:00:01/owner-id': '123456789012',
    'network/interfaces/macs/02:00:00:00:00:02/owner-id': '999999999999',
  };
  const metadata = { read: (path: string) => Promise.resolve(answers[path] ?? '') };
  expect(await readAccount(metadata, signal)).toBe('123456789012');
});

describe('the address of a machine', () => {
  const metadataOf = (answers: Readonly<Record<string, string>>): OpenedMetadata => ({
    read: async (path) => {
      const answer = answers[path];
      if (answer === undefined) throw new Error(`${path}: it answered 404`);
      return answer;
    },
    find: async (path) => answers[path],
  });
  const machine = { 'instance-id': 'i-1', 'placement/availability-zone': 'us-east-1a' };
  const addressOf = async (answers: Readonly<Record<string, string>>, isIpv6Only: boolean) =>
    (await readFacts(metadataOf({ ...machine, ...answers }), { naming: 'instance-id', isIpv6Only }, signal)).address;

  test('is that of IPv6 where the cluster has only IPv6, also if it has both', async () => {
    const both = { 'local-ipv4': '10.0.0.7', ipv6: '2001:db8:0:1::7' };
    expect(await addressOf(both, false)).toBe('10.0.0.7');
    expect(await addressOf(both, true)).toBe('2001:db8:0:1::7');
    expect(await addressOf({ ipv6: '2001:db8:0:1::7' }, true)).toBe('2001:db8:0:1::7');
  });

  test('that is missing is explained', async () => {
    await expect(addressOf({ 'local-ipv4': '10.0.0.7' }, true)).rejects.toThrow(
      'cannot find the address of this machine: its cluster has only IPv6, and its first network interface has no IPv6 address',
    );
  });
});
