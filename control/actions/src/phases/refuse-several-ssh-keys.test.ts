import { completedCluster } from '@kopsctl/model/testdata/clusters.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { parseSshPublicKey, sshPublicKeyPath } from '../keys/ssh-public-key.ts';
import { refuseSeveralSshKeys } from './refuse-several-ssh-keys.ts';

const keyOf = (letter: string): string => {
  const name = Buffer.from('ssh-ed25519');
  const blob = Buffer.concat([Buffer.from([0, 0, 0, name.length]), name, Buffer.from(letter.repeat(32))]);
  return `ssh-ed25519 ${blob.toString('base64')}`;
};

/** A check of a cluster whose store holds these keys. */
async function check(spec: ClusterSpec, ...letters: readonly string[]): Promise<void> {
  const store = createMemoryStore();
  const { cluster } = completedCluster();
  for (const text of letters.map(keyOf)) {
    const path = sshPublicKeyPath(cluster.metadata.name, parseSshPublicKey(text, 'a test'));
    await store.write(path, Buffer.from(text), { ifAbsent: true });
  }
  await refuseSeveralSshKeys(store, { cluster: { ...cluster, spec: { ...cluster.spec, ...spec } } });
}

test('one of several SSH keys is not chosen for machines that take one', async () => {
  await expect(check({ cloudProvider: 'aws' }, 'a', 'b')).rejects.toThrow('holds 2 SSH public keys');
});

test.each<[string, ClusterSpec, readonly string[]]>([
  ['there is one', { cloudProvider: 'aws' }, ['a']],
  ['there is none', { cloudProvider: 'aws' }, []],
  ['the spec names a key of the cloud', { cloudProvider: 'aws', sshKeyName: 'mine' }, ['a', 'b']],
  ['machines take several', { cloudProvider: 'gce' }, ['a', 'b']],
])('there is nothing to choose where %s', async (_why, spec, letters) => {
  await expect(check(spec, ...letters)).resolves.toBeUndefined();
});
