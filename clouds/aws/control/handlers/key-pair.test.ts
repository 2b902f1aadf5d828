import { expect, test } from 'vitest';
import type { Tags } from '../../node/tag-list.ts';
import { keyPairHandler } from './key-pair.ts';
import { answeredAccount } from './testdata/answered-account.ts';

const CLUSTER = 'demo.example.com';
const NAME = `kubernetes.${CLUSTER}-ab:cd`;
const KEY = 'ssh-ed25519 AAAA somebody@example.com';

/** An account with one key pair. `requests` are the inputs of the requests that change it. */
function account(tags: Tags, publicKey = KEY) {
  const requests: object[] = [];
  const there: Record<string, string> = { ...tags };
  const aws = answeredAccount({ clusterName: CLUSTER }, (command, input) => {
    if (command === 'DescribeKeyPairsCommand') {
      const Tags = Object.entries(there).map(([Key, Value]) => ({ Key, Value }));
      return { KeyPairs: [{ KeyPairId: 'key-1', KeyName: NAME, PublicKey: publicKey, Tags }] };
    }
    if (command !== 'CreateTagsCommand') throw new Error(`${command} was not expected`);
    requests.push(input);
    const given: unknown = Reflect.get(input, 'Tags');
    for (const { Key, Value } of given as { Key: string; Value: string }[]) there[Key] = Value;
    return {};
  });
  const signal = AbortSignal.any([]);
  const plan = async (wanted: Tags) => {
    const props = { name: NAME, publicKey: KEY, tags: wanted };
    const found = await keyPairHandler.find(NAME, props, { aws }, signal);
    return { props, steps: keyPairHandler.plan(NAME, props, found) };
  };
  const apply = async (wanted: Tags) => {
    const { props, steps } = await plan(wanted);
    for (const step of steps) await keyPairHandler.apply(step, NAME, props, { aws }, signal);
  };
  return { requests, plan, apply };
}

test('a key pair gets the tags that it lacks, and others stay', async () => {
  const { requests, plan, apply } = account({ Name: CLUSTER, team: 'a', mine: 'too' });
  const wanted = { Name: CLUSTER, team: 'b', stage: 'test' };
  await apply(wanted);
  expect(requests).toEqual([
    { Resources: ['key-1'], Tags: Object.entries(wanted).map(([Key, Value]) => ({ Key, Value })) },
  ]);
  expect((await plan(wanted)).steps).toEqual([]);
});

test('another key under the name of a key pair is refused', async () => {
  const { plan } = account({ Name: CLUSTER }, 'ssh-ed25519 BBBB');
  await expect(plan({ Name: CLUSTER })).rejects.toThrow('cannot change publicKey');
});
