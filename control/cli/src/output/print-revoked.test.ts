import type { RevokedNode } from '@kopsctl/actions/revoke-node.ts';
import { expect, test } from 'vitest';
import { remains } from './print-revoked.ts';

const revoked: RevokedNode = {
  outcome: 'revoked',
  node: 'nodes-1',
  instanceId: 'i-1',
  instanceGroup: 'nodes',
  address: '10.0.0.11',
  revokedAt: '2026-01-02T12:00:00.000Z',
  certificatesEnd: '2026-01-05T13:00:00.000Z',
  deniesWrites: true,
  heldKeys: false,
  gossiped: false,
  endCommand: 'aws ec2 terminate-instances --instance-ids i-1',
};

test('a person learns what the machine can do yet, how to end it, and when its name is free', () => {
  expect(remains(revoked)).toEqual([
    'The API server denies its writes within a minute. Until 2026-01-05T13:00:00.000Z, it can still read what every node may read.',
    'Its pods keep running until the machine is terminated.',
    'Next: terminate it with `aws ec2 terminate-instances --instance-ids i-1`.',
    'Another machine may have the name nodes-1 from 2026-01-05T13:00:00.000Z on; earlier after `kopsctl toolbox re-enroll nodes-1 --unrevoke`, which trusts these certificates again.',
  ]);
});

test('before Kubernetes 1.30 a person learns that nothing denies its writes', () => {
  const [writes] = remains({ ...revoked, deniesWrites: false });
  expect(writes).toContain(
    'Until 2026-01-05T13:00:00.000Z, it can read and write in the API what every node may: only Kubernetes 1.30',
  );
});

test('before Kubernetes 1.22 nobody knows when its certificate ends', () => {
  const { certificatesEnd: _end, ...old } = revoked;
  const said = remains({ ...old, deniesWrites: false }).join('\n');
  expect(said).toContain('Until its certificate ends');
  expect(said).toContain('to no other machine before');
});

test('the machine of an API server is said to have had keys', () => {
  const said = remains({ ...revoked, heldKeys: true }).join('\n');
  expect(said).toContain('an attacker who has the machine controls the whole cluster');
  expect(said).toContain('terminate it before you rotate keysets');
});

test('in a cluster that gossips a person learns how long the machine is still a member', () => {
  expect(remains({ ...revoked, gossiped: true })[1]).toContain(
    'a member of the ring of gossip until control planes have changed its key, within an hour',
  );
});
