import { expect, test } from 'vitest';
import { userHandler } from './user.ts';

const actions = (uid: number | undefined, actual?: { uid: number }) =>
  userHandler.plan('etcd', { name: 'etcd', ...(uid === undefined ? {} : { uid }) }, actual).map(({ action }) => action);

test.each([
  ['a missing user is added', 1001, undefined, ['add']],
  ['one that is there is left as it is', undefined, { uid: 999 }, []],
  ['one with another number is renumbered', 1001, { uid: 999 }, ['renumber']],
])('%s', (_title, uid, actual, expected) => {
  expect(actions(uid, actual)).toEqual(expected);
});
