import { expect, test } from 'vitest';
import { planMembership, type MemberView } from '@kopsctl/etcd-manager/membership/plan-membership.ts';

const member = (name: string): MemberView => ({
  id: name,
  name: `etcd-${name}`,
  member: name,
  peerUrl: `https://etcd-${name}:2380`,
  isLearner: false,
  isLeader: name === 'a',
  silentForMs: 0,
});

// A learner on a disk that takes no writes never starts. If `candidates` did not leave it out, it would be added, removed
// and added again, with a backup before each change, for as long as the disk is full.
test('A machine whose disk takes no writes is not added to the cluster', () => {
  const problem = 'its disk takes no writes (ENOSPC)';
  const peer = { member: 'c', peerUrl: 'https://etcd-c:2380', hasData: false, hasServed: true, problem };
  const step = planMembership({
    memberCount: 3,
    members: [member('a'), member('b')],
    peers: [peer],
    hasLearners: true,
    patienceMs: 300_000,
    corruptAlarms: [],
    sameForMs: 0,
  });
  expect(step.action).toBe('wait');
});
