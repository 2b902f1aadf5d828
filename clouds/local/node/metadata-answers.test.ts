import { expect, test } from 'vitest';
import { parseMachine, parseObserved, parseVolume } from './metadata-answers.ts';

const machine = {
  instanceId: 'i-1',
  nodeName: 'nodes-1',
  address: '10.0.0.2',
  externalAddresses: ['192.0.2.2'],
  role: 'Node',
  instanceGroup: 'nodes',
  running: true,
};

test('a list keeps its revision and its items', () => {
  expect(parseObserved({ revision: '7', items: [machine] }, parseMachine)).toEqual({ revision: '7', items: [machine] });
});

test.each([
  ['an unknown role', { ...machine, role: 'Queen' }, 'role: found "Queen"'],
  ['a missing address', { ...machine, address: undefined }, 'address is missing'],
  ['a text', 'hello', 'a machine is not an object'],
])('%s is refused with the name of the field', (_title, answer, message) => {
  expect(() => parseMachine(answer)).toThrow(message);
});

test('a free volume has no attachment', () => {
  const free = { id: 'vol-1', name: 'a', sizeGiB: 1, zone: 'z', tags: { owner: 'x' } };
  expect(parseVolume(free)).toEqual(free);
  const attachedTo = { instanceId: 'i-1', address: '10.0.0.2', device: '/dev/loop0' };
  expect(parseVolume({ ...free, attachedTo })).toEqual({ ...free, attachedTo });
});
