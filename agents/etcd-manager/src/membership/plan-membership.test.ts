import { array, assert, boolean, constantFrom, nat, property, record } from 'fast-check';
import { testStories } from '@kopsctl/testing/text-story.ts';
import { expect, test } from 'vitest';
import type { Comparison } from '../corruption/compare-data.ts';
import type { EtcdAlarm } from '../etcd/alarms.ts';
import { often } from '@kopsctl/test-suite/long.ts';
import { planMembership, type MemberView, type ObservedMembership, type PeerView } from './plan-membership.ts';
import { quorumOf } from '@kopsctl/state-store/etcd/quorum.ts';

/**
 * Replays the stories in testdata/membership: each line changes what is observed, `plan` decides, and the text below
 * `----` is the decision.
 */
const FOLDER = new URL('../../testdata/membership/', import.meta.url);

interface World {
  comparison?: Comparison | undefined;
  corruptAlarms: readonly EtcdAlarm[];
  sameForMs: number;
  memberCount: number;
  hasLearners: boolean;
  readonly members: Map<string, MemberView>;
  readonly peers: Map<string, PeerView>;
  unfinished?: { readonly id: string };
}

const url = (member: string): string => `https://${member}:2380`;

function voter(member: string): MemberView {
  const name = `etcd-${member}`;
  return { id: `id-${member}`, name, peerUrl: url(member), member, isLearner: false, isLeader: false, silentForMs: 0 };
}

const CHANGES: Readonly<Record<string, (world: World, ...args: string[]) => unknown>> = {
  wanted: (world, count) => (world.memberCount = Number(count)),
  'without-learners': (world) => (world.hasLearners = false),
  // Healthy members with live managers. The first one leads.
  members: (world, ...names) => {
    for (const [index, name] of names.entries()) {
      world.members.set(name, { ...voter(name), isLeader: index === 0 });
      world.peers.set(name, { member: name, peerUrl: url(name), hasData: true, hasServed: true });
    }
  },
  // A machine without data. Its manager is alive.
  machine: (world, name = '') =>
    world.peers.set(name, { member: name, peerUrl: url(name), hasData: false, hasServed: true }),
  // A first member that is late and has never served.
  'late-machine': (world, name = '') =>
    world.peers.set(name, { member: name, peerUrl: url(name), hasData: false, hasServed: false }),
  'manager-gone': (world, name = '') => world.peers.delete(name),
  silent: (world, name = '', seconds = '') => {
    world.members.set(name, { ...(world.members.get(name) ?? voter(name)), silentForMs: Number(seconds) * 1000 });
  },
  well: (world, name = '') => world.members.set(name, { ...(world.members.get(name) ?? voter(name)), silentForMs: 0 }),
  problem: (world, name = '', ...words) =>
    world.peers.set(name, {
      member: name,
      peerUrl: url(name),
      hasData: true,
      hasServed: true,
      problem: words.join(' '),
    }),
  // It was added to the cluster and has not started yet.
  added: (world, name = '', role = 'learner') =>
    world.members.set(name, { ...voter(name), name: '', isLearner: role === 'learner', silentForMs: 1 }),
  // It has started and is catching up.
  started: (world, name = '') => {
    const { isLearner } = world.members.get(name) ?? voter(name);
    world.members.set(name, { ...voter(name), isLearner });
    world.peers.set(name, { member: name, peerUrl: url(name), hasData: true, hasServed: true });
  },
  // An earlier leader has recorded that it removes this member, and has fallen silent.
  'removal-begun': (world, name = '') => (world.unfinished = { id: `id-${name}` }),
  promoted: (world, name = '') => world.members.set(name, voter(name)),
  removed: (world, name = '') => world.members.delete(name),
  // corrupt-alarm [NAME …]: by member, or without one.
  'corrupt-alarm': (world, ...names) => {
    const named = names.map((name) => ({ memberId: `id-${name}`, alarm: 'CORRUPT' as const }));
    world.corruptAlarms = names.length === 0 ? [{ alarm: 'CORRUPT' }] : named;
  },
  differ: (world, ...names) => {
    world.comparison = { verdict: 'corrupt', ids: names.map((name) => `id-${name}`) };
  },
  'no-majority': (world, ...names) => {
    const summary = `the data of ${names.join(', of ')} differs, and no majority agrees`;
    world.comparison = { verdict: 'unclear', summary };
  },
  agree: (world, seconds) => {
    world.comparison = { verdict: 'same' };
    world.sameForMs = Number(seconds) * 1000;
  },
  'not-compared': (world) => (world.comparison = undefined),
  'alarm-lifted': (world) => (world.corruptAlarms = []),
  leader: (world, name) => {
    for (const [key, member] of world.members) world.members.set(key, { ...member, isLeader: key === name });
  },
};

function observed({ members, peers, comparison, unfinished, ...rest }: World): ObservedMembership {
  return {
    ...rest,
    members: [...members.values()],
    peers: [...peers.values()],
    patienceMs: 300_000,
    ...(comparison && { comparison }),
    ...(unfinished && { unfinishedRemoval: unfinished }),
  };
}

const emptyWorld = (): World => ({
  memberCount: 3,
  hasLearners: true,
  members: new Map(),
  peers: new Map(),
  corruptAlarms: [],
  sameForMs: 0,
});

function plan(world: World): string {
  const step = planMembership(observed(world));
  const lines = [`${step.action}: ${step.summary}`];
  if (step.action === 'refuse') lines.push(`  next: ${step.next}`);
  return lines.join('\n');
}

testStories(FOLDER, { begin: emptyWorld, changes: CHANGES, plan: plan });

const QUIET = { hasLearners: true, patienceMs: 300_000, corruptAlarms: [], sameForMs: 0 };

test('while members contradict each other without a majority, no member is added, removed or promoted', () => {
  const world = emptyWorld();
  CHANGES['members']?.(world, 'a', 'b', 'c');
  CHANGES['no-majority']?.(world, 'b', 'c');
  assert(
    property(
      array(constantFrom('problem b x', 'silent b 900', 'added d', 'machine d', 'wanted 1', 'removal-begun b')),
      (changes) => {
        const changed: World = { ...world, members: new Map(world.members), peers: new Map(world.peers) };
        for (const line of changes) {
          const [command = '', ...args] = line.split(' ');
          CHANGES[command]?.(changed, ...args);
        }
        expect(['refuse', 'wait']).toContain(planMembership(observed(changed)).action);
      },
    ),
  );
});

test('no step takes a cluster below quorum, and without a quorum there is no step', () => {
  const member = record({
    isWell: boolean(),
    isLearner: boolean(),
    hasStarted: boolean(),
    seconds: nat(1000),
    manager: constantFrom<'gone' | 'empty' | 'data' | 'problem'>('gone', 'empty', 'data', 'problem'),
  });
  assert(
    property(
      array(member, { minLength: 1, maxLength: 6 }),
      constantFrom(1, 3, 5),
      nat(7),
      (states, memberCount, begun) => {
        const unfinishedRemoval = { id: `id-${String.fromCodePoint(97 + begun)}` };
        const members = states.map((state, index): MemberView => {
          const name = String.fromCodePoint(97 + index);
          const silentForMs = state.isWell ? 0 : 1 + state.seconds * 1000;
          const started = state.hasStarted ? `etcd-${name}` : '';
          return { ...voter(name), name: started, isLearner: state.isLearner, isLeader: index === 0, silentForMs };
        });
        const peers = states.flatMap(({ manager }, index): PeerView[] => {
          const name = String.fromCodePoint(97 + index);
          if (manager === 'gone') return [];
          const problem = manager === 'problem' ? { problem: 'broken' } : {};
          return [{ member: name, peerUrl: url(name), hasData: manager !== 'empty', hasServed: true, ...problem }];
        });
        const step = planMembership({ ...QUIET, memberCount, members, peers, unfinishedRemoval });
        const voters = members.filter(({ isLearner }) => !isLearner);
        const well = voters.filter(({ silentForMs }) => silentForMs === 0).length;
        expect(well >= quorumOf(voters.length) || step.action === 'wait').toBe(true);
        const removed = step.action === 'remove' ? step.id : undefined;
        const rest = voters.filter(({ id }) => id !== removed);
        const wellRest = rest.filter(({ silentForMs }) => silentForMs === 0).length;
        expect(removed === undefined || wellRest >= quorumOf(rest.length)).toBe(true);
      },
    ),
    { numRuns: often(2_000, 40_000) },
  );
});
