import { expect, it } from 'vitest';
import { seededRandom } from '../simulation/seeded-random.ts';
import type { Alive, NodeBelief, Versions } from '../wire/message.ts';
import type { Effects } from './effects.ts';
import type { Endpoint } from './endpoint.ts';
import { LAN } from './settings.ts';
import { createSwim, type Swim } from './swim.ts';

const versions: Versions = { protocolMin: 1, protocolMax: 5, protocol: 2, delegateMin: 0, delegateMax: 0, delegate: 0 };
const meta = new Uint8Array();
const at = (name: string): Endpoint => ({ address: `10.0.0.${name.charCodeAt(0)}`, port: 7946 });
const peer = (name: string): Swim =>
  createSwim({ name, ...at(name), meta, versions, settings: LAN, label: '' }, seededRandom(1), 0);
const alive = (name: string): Alive => ({ kind: 'alive', node: name, incarnation: 1, ...at(name), meta, versions });
const belief = (name: string): NodeBelief => ({
  name,
  ...at(name),
  meta,
  versions,
  incarnation: 1,
  state: 'alive',
});

/** Receiver and subject of each message, e.g. `b: a`. */
function told({ packets }: Effects): string[] {
  return packets.flatMap(({ to, parts }) =>
    parts.map(({ message }) => `${String.fromCharCode(Number(to.address.split('.')[3]))}: ${subject(message)}`),
  );
}

function subject(message: Effects['packets'][number]['parts'][number]['message']): string {
  return message.kind === 'alive' ? message.node : message.kind;
}

/** What a peer sends by itself within half a second, without pings. */
function gossip(swim: Swim): string[] {
  const said: string[] = [];
  for (let ms = 1; ms <= 500; ms += 1) said.push(...told(swim.step({ kind: 'tick' }, ms)));
  return said.filter((line) => !line.endsWith('ping'));
}

it('a member greets a newcomer that it hears of', () => {
  expect(told(peer('a').step({ kind: 'packet', from: at('b'), messages: [alive('c')] }, 1))).toEqual(['c: a']);
});

it('a member does not greet a newcomer that it hears of from the newcomer itself', () => {
  expect(told(peer('a').step({ kind: 'packet', from: at('c'), messages: [alive('c')] }, 1))).toEqual([]);
});

it('a newcomer greets all members in the state it receives, and does not rebroadcast them', () => {
  const newcomer = peer('a');
  const nodes = ['b', 'c', 'd'].map(belief);
  const first = newcomer.step({ kind: 'state', from: at('b'), isJoin: true, nodes }, 0);
  expect(told(first).toSorted()).toEqual(['c: a', 'd: a']);
  const said = gossip(newcomer);
  expect(said.length).toBeGreaterThan(0);
  expect(said.filter((line) => !line.endsWith(': a'))).toEqual([]);
});

it('a newcomer that joins a second cluster introduces the two to each other', () => {
  const newcomer = peer('a');
  newcomer.step({ kind: 'state', from: at('b'), isJoin: true, nodes: [belief('b'), belief('c')] }, 0);
  newcomer.step({ kind: 'state', from: at('x'), isJoin: true, nodes: [belief('x'), belief('y')] }, 0);
  const said = gossip(newcomer);
  expect(said).toContain('b: y');
  expect(said).toContain('c: x');
});

it('learns the nodes of a state although some in it, or some that it has heard of, speak another protocol', () => {
  const alien = { protocolMin: 3, protocolMax: 3, protocol: 3, delegateMin: 0, delegateMax: 0, delegate: 0 };
  const b = peer('b');
  b.step({ kind: 'packet', from: at('x'), messages: [{ ...alive('x'), versions: alien }] }, 1);
  const nodes = [belief('a'), { ...belief('y'), versions: alien }, belief('c')];
  const { events } = b.step({ kind: 'state', from: at('a'), isJoin: true, nodes }, 2);
  expect(b.members().map(({ name }) => name)).toEqual(expect.arrayContaining(['a', 'b', 'c']));
  expect(b.member('y')).toBeUndefined();
  expect(events).toContainEqual({ kind: 'incompatible', node: 'y', why: expect.stringContaining('protocol') });
});

it('a member takes in no more newcomers than the largest cluster has, and says so', () => {
  const swim = peer('a');
  const nodes = Array.from({ length: 9000 }, (_, index) => ({ ...belief('b'), name: `n${index}`, port: index + 1 }));
  const { events } = swim.step({ kind: 'state', from: at('b'), isJoin: false, nodes }, 0);
  expect(events.filter(({ kind }) => kind === 'join')).toHaveLength(8192);
  expect(events.filter(({ kind }) => kind === 'tooMany')).toHaveLength(9000 - 8192);
  expect(swim.nodes).toBe(8193);
});
