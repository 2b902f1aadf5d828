import { expect, it } from 'vitest';
import { LostMembers } from './lost-members.ts';
import type { MemberView } from './swim/effects.ts';

const HOUR_MS = 60 * 60 * 1000;
const member = (name: string): MemberView => ({
  name,
  address: `10.0.0.${name}`,
  port: 7946,
  meta: new Uint8Array(),
  versions: { protocolMin: 1, protocolMax: 5, protocol: 2, delegateMin: 0, delegateMax: 0, delegate: 0 },
  incarnation: 1,
  state: 'dead',
});

it('a failed member is remembered until it comes back, for an hour at most', () => {
  const lost = new LostMembers();
  lost.failed(member('1'), 0);
  lost.failed(member('2'), HOUR_MS / 2);
  lost.failed(member('3'), HOUR_MS / 2);
  lost.settled(member('2'));
  expect(lost.all(HOUR_MS / 2).map(({ address }) => address)).toEqual(['10.0.0.1', '10.0.0.3']);
  expect(lost.all(HOUR_MS).map(({ address }) => address)).toEqual(['10.0.0.3']);
});
