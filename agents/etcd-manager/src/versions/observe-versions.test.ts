import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { publishStatus, type MemberStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import { expect, test } from 'vitest';
import type { EtcdClient } from '../etcd/client.ts';
import { observeVersions, type VersionsEnv } from './observe-versions.ts';
import { planUpgrade } from './plan-upgrade.ts';

const CONFIG = {
  name: 'main',
  mountPoint: '/mnt/a',
  members: ['a', 'b', 'c'],
  memberHost: 'etcd-<member>',
  clientPort: 4001,
  peerPort: 2380,
  etcdVersion: '3.5.16',
  binDir: '/opt/etcd',
  backupPath: 'demo/backups/etcd/main',
  peersCa: 'peers',
  clientsCa: 'clients',
  env: [],
};
const VERSIONS = { a: '3.4.23', b: '3.4.23' };

/** The manager of each has published this; `a` and `b` answer, and `a` leads. */
async function observe(
  statuses: Readonly<Record<string, Partial<MemberStatus>>>,
  learners: readonly string[] = [],
): Promise<ReturnType<typeof observeVersions>> {
  const store = createMemoryStore();
  for (const [member, more] of Object.entries(statuses)) {
    const said = { address: '', updatedAt: 'now', decision: '', isLeader: false, wantedVersion: '3.5.16' };
    const available = ['3.4.23', '3.5.16'];
    await publishStatus(store, CONFIG.backupPath, { member, hasData: true, available, ...said, ...more });
  }
  const members = CONFIG.members.map((name) => ({
    id: name,
    name: `etcd-${name}`,
    peerUrl: `https://etcd-${name}:2380`,
    isLearner: learners.includes(name),
  }));
  const askIfThere: VersionsEnv['etcds']['askIfThere'] = async (host, _, question) => {
    const memberId = host.replace('etcd-', '');
    if (memberId === 'c') return undefined;
    const status = { clusterId: '1', memberId, leaderId: 'a', version: '3.4.23', dbSizeBytes: 1, revision: 1 };
    const client = { status: () => Promise.resolve({ ...status, isLearner: false }), members: async () => members };
    // Nothing else is asked in an observation.
    return question(client as unknown as EtcdClient);
  };
  const env = { address: 'etcd-a', store, etcds: { askIfThere } };
  return observeVersions(CONFIG, { versions: VERSIONS }, env, new AbortController().signal);
}

test.each([
  ['whose machine has never reported', {}],
  ['whose volume is empty', { c: { hasData: false } }],
  ['whose etcd does not answer', { c: {} }],
])('no member is upgraded while etcd lists a voter %s', async (_title, third) => {
  const observed = await observe({ a: {}, b: {}, ...third });
  expect(planUpgrade('3.5.16', observed)).toEqual({
    action: 'wait',
    summary: 'wait for c to be healthy before going to 3.5.16',
  });
});

test('a learner without data has no vote, and stops no upgrade', async () => {
  const observed = await observe({ a: {}, b: {}, c: { hasData: false } }, ['c']);
  expect(planUpgrade('3.5.16', observed)).toMatchObject({ action: 'allow', member: 'b' });
});
