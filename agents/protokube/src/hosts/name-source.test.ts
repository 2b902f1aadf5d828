import { expect, test } from 'vitest';
import { LatestNames, namesOfAll } from './name-source.ts';

test('names of several sources are known once all of them are, so that no name of the last boot is lost earlier', () => {
  const [balanced, members] = [new LatestNames(), new LatestNames()];
  const all = namesOfAll([balanced, members]);
  balanced.set([{ name: 'api', addresses: ['10.0.0.1'] }]);
  expect(all.records()).toBeUndefined();
  members.set([{ name: 'etcd-a', addresses: ['10.0.0.2'] }]);
  expect(all.records()).toEqual([
    { name: 'api', addresses: ['10.0.0.1'] },
    { name: 'etcd-a', addresses: ['10.0.0.2'] },
  ]);
});
