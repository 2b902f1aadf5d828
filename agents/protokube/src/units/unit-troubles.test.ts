import { expect, test } from 'vitest';
import { parseUnits, troubleOf } from './unit-troubles.ts';

/** As systemd 252 prints it. */
const SHOWN = `Id=kubelet.service
LoadState=loaded
ActiveState=activating
SubState=auto-restart
Result=exit-code
NRestarts=3

Id=containerd.service
LoadState=loaded
ActiveState=active
SubState=running
Result=success
NRestarts=0

Id=docker.service
LoadState=not-found
ActiveState=inactive
SubState=dead
Result=success
NRestarts=0
`;

const [kubelet, containerd, docker] = parseUnits(SHOWN);

test('one that runs or is not there has no trouble, and one that cannot start does', () => {
  if (kubelet === undefined || containerd === undefined || docker === undefined) throw new Error('three are shown');
  expect([kubelet, containerd, docker].map((unit) => [unit.name, troubleOf(unit, 0)])).toEqual([
    ['kubelet.service', 'it ends again and again (exit-code)'],
    ['containerd.service', undefined],
    ['docker.service', undefined],
  ]);
  expect(parseUnits('')).toEqual([]);
});

test.each([
  [{ active: 'failed', sub: 'failed', result: 'exit-code' }, 'it has failed (exit-code)'],
  [{ active: 'inactive', sub: 'dead' }, 'it was stopped'],
  [{ load: 'bad-setting', active: 'inactive', sub: 'dead' }, 'its unit file cannot be used (bad-setting)'],
  // It runs for a moment each time.
  [{ restarts: 4 }, 'it ends again and again'],
  [{ restarts: 2 }, undefined],
  [{ active: 'activating', sub: 'start' }, undefined],
  [{ active: 'deactivating', sub: 'stop-sigterm' }, undefined],
])('of one that is %j is said: %s', (change, trouble) => {
  const runs = { name: 'kubelet.service', load: 'loaded', active: 'active', sub: 'running', result: 'success' };
  expect(troubleOf({ ...runs, restarts: 2, ...change }, 2)).toBe(trouble);
});
