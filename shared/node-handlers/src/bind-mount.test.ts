import { expect, test } from 'vitest';
import { bindMountHandler } from './bind-mount.ts';

const plan = (options: readonly string[], actual?: readonly string[]) =>
  bindMountHandler
    .plan('m', { source: '/a', mountPoint: '/b', options: [...options] }, actual && { options: actual })
    .map(({ action }) => action);

test.each([
  ['what is not mounted is mounted', ['exec'], undefined, ['mount']],
  ['exec is there while noexec is not', ['exec'], ['rw', 'relatime'], []],
  ['noexec where exec is wanted is remounted', ['exec'], ['rw', 'noexec'], ['remount']],
  ['a missing nosuid is remounted', ['nosuid', 'nodev'], ['rw', 'nodev'], ['remount']],
  ['read-only must be said', ['ro'], ['rw'], ['remount']],
])('%s', (_title, wanted, actual, actions) => {
  expect(plan(wanted, actual)).toEqual(actions);
});
