import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { planCluster, type ClusterStep, type ObservedCluster } from './plan-cluster.ts';

/**
 * Replays the stories in testdata/: each line changes what is observed, `plan` decides, and what stands below `----`
 * is the decision. `UPDATE=1` rewrites them; read the difference before it is committed.
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
  return { tokensOnDisk: [], etcd2Tokens: [], hasServed: false, ownNameIsKnown: true, unit: 'absent' };
}

function list(text = ''): string[] {
  return text.split(',').filter((part) => part !== '');
}

/** One line of a story. */
const CHANGES: Readonly<Record<string, (world: Mutable, ...args: string[]) => void>> = {
  volume: (world, member = '', members = '') => (world.volume = { member, members: list(members) }),
  marker: (world, token, members) => {
    world.marker = { members: list(members), ...(token !== undefined && token !== 'kops' && { token }) };
  },
  'marker-lost': (world) => (world.markerFault = {}),
  'marker-torn': (world, version = '') => (world.markerFault = { tornVersion: version }),
  'marker-whole': (world) => delete world.markerFault,
  // The manager was started again: what it knew of the marker is gone.
  restart: (world) => delete world.marker,
  history: (world) => (world.hasHistory = true),
  wants: (world, version = '') => (world.wants = version),
  // Data of etcd 2: a log without a database.
  etcd2: (world, tokens) => (world.etcd2Tokens = world.tokensOnDisk = list(tokens)),
  data: (world, tokens) => (world.tokensOnDisk = list(tokens)),
  'data-lost': (world) => (world.tokensOnDisk = []),
  served: (world) => (world.hasServed = true),
  'never-served': (world) => (world.hasServed = false),
  name: (world, known) => (world.ownNameIsKnown = known === 'known'),
  unit: (world, state) => {
    if (state !== 'absent' && state !== 'outdated' && state !== 'stopped' && state !== 'running')
      throw new Error(state);
    world.unit = state;
    delete world.etcd;
  },
  etcd: (world, leader) => (world.etcd = { hasLeader: leader === 'leader' }),
  // others HEALTHY id=name@url …; a member without a name has not started.
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
  if (step.action === 'refuse') lines.push(`  next: ${step.next}`);
  if (step.action === 'start') lines.push(`  ${step.initialState} ${step.token} ${step.initialCluster}`);
  return lines.join('\n');
}

function replay(story: string): string {
  const world = emptyWorld();
  return story
    .split('\n\n')
    .map((paragraph) => {
      const [commands = ''] = paragraph.split('\n----');
      let decision: string | undefined;
      for (const line of commands.split('\n')) {
        const [command = '', ...args] = line.trim().split(' ');
        if (command === '' || command.startsWith('#')) continue;
        if (command === 'plan')
          decision = print(planCluster({ ...WANTED, etcdVersion: world.wants ?? WANTED.etcdVersion }, world));
        else {
          const change = CHANGES[command];
          if (change === undefined) throw new Error(`a story cannot say "${line}"`);
          change(world, ...args);
        }
      }
      return decision === undefined ? commands.trimEnd() : `${commands.trimEnd()}\n----\n${decision}`;
    })
    .join('\n\n')
    .concat('\n');
}

for (const file of readdirSync(FOLDER).sort()) {
  test(`the story ${file.replace('.txt', '').replaceAll('-', ' ')} is told as written`, () => {
    const place = new URL(file, FOLDER);
    const story = readFileSync(place, 'utf8');
    const told = replay(story.trimEnd());
    if (process.env['UPDATE'] === '1') writeFileSync(place, told);
    expect(told).toBe(readFileSync(place, 'utf8'));
  });
}
