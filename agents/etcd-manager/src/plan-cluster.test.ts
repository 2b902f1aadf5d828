import { testStories } from '@kopsctl/testing/text-story.ts';
import { planCluster, type ClusterStep, type ObservedCluster } from './plan-cluster.ts';

/**
 * Replays the stories in testdata/: each line changes what is observed, `plan` decides, and the text below `----`
 * is the decision.
 */
const FOLDER = new URL('../testdata/member/', import.meta.url);

const WANTED = {
  name: 'main',
  etcdVersion: '3.4.23',
  ownName: (member: string) => `etcd-${member}`,
  peerUrl: (member: string) => `https://${member}:2380`,
};

type Mutable = { -readonly [K in keyof ObservedCluster]: ObservedCluster[K] } & { wants?: string };

function emptyWorld(): Mutable {
  return { tokensOnDisk: [], etcd2Tokens: [], hasServed: false, hasBegun: false, ownNameIsKnown: true, unit: 'absent' };
}

function list(text = ''): string[] {
  return text.split(',').filter((part) => part !== '');
}

/** The commands of the stories. */
const CHANGES: Readonly<Record<string, (world: Mutable, ...args: string[]) => unknown>> = {
  volume: (world, member = '', members = '') => (world.volume = { member, members: list(members) }),
  marker: (world, token, members) => {
    world.marker = { members: list(members), ...(token !== undefined && token !== 'kops' && { token }) };
  },
  'marker-lost': (world) => (world.markerFault = {}),
  'marker-torn': (world, version = '') => (world.markerFault = { tornVersion: version }),
  // A manager that was paused has written it, for a cluster in which nobody has started.
  'marker-stale': (world, version = '') => (world.markerFault = { tornVersion: version, isStale: true }),
  'marker-of-kops': (world, version = '') => {
    world.marker = { members: [] };
    world.markerFault = { tornVersion: version, isOfKops: true };
  },
  'marker-whole': (world) => delete world.markerFault,
  // The manager has restarted and no longer remembers the marker.
  restart: (world) => delete world.marker,
  history: (world) => (world.hasHistory = true),
  wants: (world, version = '') => (world.wants = version),
  // Data of etcd 2 is a log without a database.
  etcd2: (world, tokens) => (world.etcd2Tokens = world.tokensOnDisk = list(tokens)),
  data: (world, tokens) => (world.tokensOnDisk = list(tokens)),
  // By the record, the cluster of a restore counts, or is only prepared.
  'restore-counts': (world, inForce = '') => (world.restored = { inForce, prepared: inForce }),
  'restore-prepares': (world, prepared = '') => (world.restored = { prepared }),
  'data-lost': (world) => (world.tokensOnDisk = []),
  served: (world) => (world.hasServed = true),
  // Its first start is recorded, and was begun on this volume.
  begun: (world) => (world.hasBegun = true),
  // The record of the first start of this member names the first members.
  founders: (world, members) => (world.founders = list(members)),
  'never-served': (world) => (world.hasServed = false),
  name: (world, known) => (world.ownNameIsKnown = known === 'known'),
  unit: (world, state) => {
    if (state !== 'absent' && state !== 'outdated' && state !== 'stopped' && state !== 'running')
      throw new Error(state);
    world.unit = state;
    delete world.etcd;
  },
  etcd: (world, leader) => (world.etcd = { hasLeader: leader === 'leader' }),
  // others HEALTHY id=name@url …; a member without a name has not started yet.
  others: (world, healthy, ...members) => {
    world.others = {
      healthy: Number(healthy),
      hasLeader: Number(healthy) > 0,
      members: members.map((text) => {
        const [, id = '', name = '', peerUrl = ''] = /^(.*)=(.*)@(.*)$/.exec(text) ?? [];
        return { id, name, peerUrl, isLearner: false };
      }),
    };
  },
};

function print(step: ClusterStep): string {
  const lines = [`${step.action}: ${step.summary}`];
  if (step.action === 'create-marker' && step.replaces !== undefined) lines.push(`  in place of ${step.replaces}`);
  if (step.action === 'create-marker' || step.action === 'begin') {
    const members = step.action === 'begin' ? step.founders : step.members;
    lines.push(`  first members: ${members.join(',') || 'none'}`);
  }
  if (step.action === 'refuse') lines.push(`  next: ${step.next}`);
  if (step.action === 'start') lines.push(`  ${step.initialState} ${step.token} ${step.initialCluster}`);
  return lines.join('\n');
}

const decide = (world: Mutable): string =>
  print(planCluster({ ...WANTED, etcdVersion: world.wants ?? WANTED.etcdVersion }, world));

testStories(FOLDER, { begin: emptyWorld, changes: CHANGES, plan: decide });
