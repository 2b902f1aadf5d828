import type { Fleet, FleetGroup } from '@kopsctl/model/fleet.ts';
import { expect, test } from 'vitest';
import { sharingLooks } from './shared-looks.ts';

const signal = new AbortController().signal;

/** A fleet that answers when it is told to. */
function slowFleet() {
  const asked: PromiseWithResolvers<readonly FleetGroup[]>[] = [];
  const groups = (): Promise<readonly FleetGroup[]> => {
    const answer = Promise.withResolvers<readonly FleetGroup[]>();
    asked.push(answer);
    return answer.promise;
  };
  const nothing = async (): Promise<void> => undefined;
  const fleet: Fleet = { groups, deregister: nothing, register: nothing, delete: nothing };
  return { asked, fleet: sharingLooks(fleet, signal) };
}

test('whoever asks while an answer is on its way gets that one, and the next one asks again', async () => {
  const { asked, fleet } = slowFleet();
  const both = Promise.all([fleet.groups(signal), fleet.groups(signal)]);
  expect(asked).toHaveLength(1);
  asked[0]?.resolve([]);
  await both;
  void fleet.groups(signal);
  expect(asked).toHaveLength(2);
});

test('a failure is told to all who waited for it, and not to the next', async () => {
  const { asked, fleet } = slowFleet();
  const both = Promise.allSettled([fleet.groups(signal), fleet.groups(signal)]);
  asked[0]?.reject(new Error('throttled'));
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const next = fleet.groups(signal);
  asked[1]?.resolve([]);
  expect(await next).toEqual([]);
});

test('a step that is given up does not take the answer from the others', async () => {
  const { asked, fleet } = slowFleet();
  const givenUp = new AbortController();
  const [first, second] = [fleet.groups(givenUp.signal), fleet.groups(signal)];
  givenUp.abort();
  asked[0]?.resolve([]);
  await expect(first).rejects.toThrow(/abort/);
  expect(await second).toEqual([]);
});
