import { expect, test } from 'vitest';
import { chooseVersion } from './choose-version.ts';
import { planUpgrade, type VersionedMember } from './plan-upgrade.ts';

const BOTH = ['3.4.23', '3.5.16'];

function member(name: string, recorded: string, change: Partial<VersionedMember> = {}): VersionedMember {
  return {
    member: name,
    recorded,
    running: recorded,
    isWell: true,
    isLeader: name === 'a',
    available: BOTH,
    ...change,
  };
}

const decide = (wanted: string, ...members: readonly VersionedMember[]): string => {
  const { action, summary } = planUpgrade(wanted, members);
  return `${action}: ${summary}`;
};

test('Members are upgraded one at a time, the leader last and after it has handed over', () => {
  const old = (name: string) => member(name, '3.4.23');
  const fresh = (name: string) => member(name, '3.5.16');
  expect(decide('3.5.16', old('a'), old('b'), old('c'))).toBe('allow: b goes from 3.4.23 to 3.5.16');
  const restarting = { ...fresh('b'), isWell: false };
  expect(decide('3.5.16', old('a'), restarting, old('c'))).toBe(
    'wait: wait for b to be healthy before going to 3.5.16',
  );
  expect(decide('3.5.16', old('a'), fresh('b'), old('c'))).toBe('allow: c goes from 3.4.23 to 3.5.16');
  expect(decide('3.5.16', old('a'), fresh('b'), fresh('c'))).toBe(
    'move-leader: move the leadership to b: a will be upgraded to 3.5.16',
  );
  const handedOver = { ...old('a'), isLeader: false };
  const leads = { ...fresh('b'), isLeader: true };
  expect(decide('3.5.16', handedOver, leads, fresh('c'))).toBe('allow: a goes from 3.4.23 to 3.5.16');
  expect(decide('3.5.16', fresh('a'), fresh('b'), fresh('c'))).toBe('nothing: every member runs 3.5.16');
});

test('Two minor versions take two steps, and none is skipped', () => {
  const three = ['3.3.25', ...BOTH];
  expect(decide('3.5.16', member('a', '3.3.25', { available: three }))).toBe('allow: a goes from 3.3.25 to 3.4.23');
  const lacking = member('a', '3.3.25', { available: ['3.3.25', '3.5.16'] });
  expect(decide('3.5.16', lacking)).toBe(
    'restore: go from 3.3.25 to 3.5.16 by backup and restore: the machines have no version in between',
  );
});

test('An upgrade by restore is tried once: after a failure a person decides', () => {
  const lacking = member('a', '3.3.25', { available: ['3.3.25', '3.5.16'] });
  expect(planUpgrade('3.5.16', [lacking], 'the API server of a did not stop')).toMatchObject({
    action: 'refuse',
    summary: 'going to 3.5.16 by backup and restore has failed: the API server of a did not stop',
    byRestore: true,
  });
});

test('An upgrade by restore does not begin while a member does not answer or a machine lacks the version', () => {
  const ready = member('a', '3.3.25', { available: ['3.3.25', '3.5.16'] });
  const away = { ...ready, member: 'b', isWell: false };
  expect(decide('3.5.16', ready, away)).toBe('wait: wait for b to be healthy before going to 3.5.16');
  const without = { ...ready, member: 'b', available: ['3.3.25'] };
  expect(decide('3.5.16', ready, without)).toBe('wait: wait for the machines of b to get etcd 3.5.16');
});

test('No member is downgraded in place, and none is upgraded while a machine lacks the version', () => {
  expect(decide('3.4.23', member('a', '3.5.16'))).toMatch(/^refuse: the members run a newer etcd than 3.4.23/);
  const lacking = member('b', '3.4.23', { available: ['3.4.23'] });
  expect(decide('3.5.16', member('a', '3.4.23'), lacking)).toBe('wait: wait for the machines of b to get etcd 3.5.16');
});

test('Where the lower version would not start from a backup of the data, none is proposed', () => {
  const available = ['3.5.35', '3.6.16', '3.7.3'];
  const newest = member('a', '3.7.3', { available });
  const step = planUpgrade('3.6.16', [newest]);
  expect(step).toEqual({
    action: 'refuse',
    summary: 'the members run a newer etcd than 3.6.16, which starts neither from their data nor from a backup of it',
    next: 'set spec.etcdClusters[].version to a version of 3.7',
  });
  expect(planUpgrade('3.5.35', [newest])).toMatchObject({ action: 'refuse', byRestore: true });
});

test('A recreated machine that has only the next minor version may use it, and one with a later version may not', () => {
  const remade = (available: readonly string[]) => member('b', '3.4.23', { isWell: false, available });
  expect(decide('3.5.16', member('a', '3.4.23'), remade(['3.5.16']))).toBe(
    'allow: b goes from 3.4.23 to 3.5.16, the version that its machine has',
  );
  expect(decide('3.6.1', member('a', '3.4.23'), remade(['3.6.1']))).toMatch(
    /^refuse: the data of b was served by etcd/,
  );
});

test('Members go to 3.6 only from 3.5.26 or newer, and to 3.7 only from 3.6.11 or newer', () => {
  const has = (...available: readonly string[]) => ({ available });
  const ladder = has('3.5.16', '3.5.35', '3.6.16');
  const old = (name: string) => member(name, '3.5.16', ladder);
  const patched = (name: string) => member(name, '3.5.35', ladder);
  expect(decide('3.6.16', old('a'), old('b'), old('c'))).toBe('allow: b goes from 3.5.16 to 3.5.35');
  expect(decide('3.6.16', patched('a'), patched('b'), old('c'))).toBe('allow: c goes from 3.5.16 to 3.5.35');
  expect(decide('3.6.16', patched('a'), patched('b'), patched('c'))).toBe('allow: b goes from 3.5.35 to 3.6.16');
  const early = member('a', '3.6.10', has('3.6.10', '3.7.3'));
  expect(decide('3.7.3', early)).toBe(
    'restore: go from 3.6.10 to 3.7.3 by backup and restore: the machines have no version in between',
  );
  expect(decide('3.7.3', member('a', '3.6.11', has('3.6.11', '3.7.3')))).toBe('allow: a goes from 3.6.11 to 3.7.3');
});

test('A machine that has only 3.6 does not start data of an early 3.5, and a member that was there first is not taken back', () => {
  const remade = member('b', '3.5.16', { isWell: false, available: ['3.6.16'] });
  expect(decide('3.6.16', member('a', '3.5.16'), remade)).toMatch(
    /^refuse: the data of b .* from 3\.5\.16 etcd can go to 3\.6\.16 only by way of 3\.5\.26 or newer$/,
  );
  const available = ['3.5.16', '3.5.35', '3.6.16'];
  const [late, ahead] = [member('a', '3.5.16', { available }), member('b', '3.6.16', { available })];
  expect(decide('3.6.16', late, ahead)).toBe('move-leader: move the leadership to b: a will be upgraded to 3.5.35');
});

test.each([
  ['the first start takes the wanted version', undefined, '3.5.16', BOTH, '3.5.16'],
  ['data stays with the version that served it', '3.4.23', '3.5.16', BOTH, '3.4.23'],
  ['another patch release serves as well', '3.4.13', '3.4.23', BOTH, '3.4.23'],
  ['another minor version has to be allowed by the leader', '3.3.25', '3.4.23', BOTH, undefined],
])('%s', (_title, recorded, wanted, available, chosen) => {
  expect(chooseVersion(recorded, wanted, available)).toBe(chosen);
});
