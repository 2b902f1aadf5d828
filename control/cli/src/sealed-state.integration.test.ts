import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newIdentity } from '@kopsctl/state-store/testing/new-identity.ts';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';

const MAIN = join(import.meta.dirname, '../../../dist/kopsctl.cjs');
const NAME = 'demo.local.test';

let folder: string;
let recipient: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-sealed-'));
  const [mine, theirs] = await Promise.all([newIdentity(), newIdentity()]);
  recipient = mine.recipient;
  await writeFile(join(folder, 'mine'), `${mine.identity}\n`, { mode: 0o600 });
  await writeFile(join(folder, 'theirs'), `${theirs.identity}\n`, { mode: 0o600 });
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs kopsctl as somebody whose identity is in the file of that name. */
const kopsctlAs = async (identity: string, argv: readonly string[], input = '') => {
  const env = { KOPS_STATE_STORE: `file://${join(folder, 'state')}`, KOPSCTL_STATE_IDENTITY: join(folder, identity) };
  return execa(process.execPath, [MAIN, ...argv], { env, reject: false, input });
};

const clusterWith = (stateKey: string, cloud = 'local'): string => `apiVersion: kops.k8s.io/v1alpha2
kind: Cluster
metadata:
  name: ${NAME}
  annotations:
    kopsctl.io/state-key: ${stateKey}
spec:
  cloudProvider: ${cloud}
---
apiVersion: kops.k8s.io/v1alpha2
kind: InstanceGroup
metadata:
  name: control-plane
  labels:
    kops.k8s.io/cluster: ${NAME}
spec:
  role: Master
`;

const SECRET = ['create', 'secret', 'dockerconfig', '-f', '-'];
const stored = (): Promise<string> => readFile(join(folder, 'state', NAME, 'secrets/dockerconfig'), 'utf8');

test('a secret of a cluster that names a key is sealed, and only someone who can open it can replace it', async () => {
  expect(await kopsctlAs('mine', ['create', '-f', '-'], clusterWith(recipient))).toMatchObject({ exitCode: 0 });
  expect(await kopsctlAs('mine', SECRET, '{"auths":{}}')).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(await stored())).toMatchObject({ format: 'kopsctl.io/envelope/v1', key: recipient });

  expect((await kopsctlAs('mine', SECRET, '{"auths":{}}')).stdout).toContain('unchanged');
  const refused = await kopsctlAs('theirs', [...SECRET, '--force'], '{"auths":{"a":{}}}');
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain('none of the identities here is one of its recipients');
  expect(refused.stderr).toContain('KOPSCTL_STATE_IDENTITY');

  expect(await kopsctlAs('mine', [...SECRET, '--force'], '{"auths":{"a":{}}}')).toMatchObject({ exitCode: 0 });
  expect(await stored()).not.toContain('"Data"');
});

test('secrets are listed and deleted without an identity', async () => {
  await kopsctlAs('mine', ['create', '-f', '-'], clusterWith(recipient));
  await kopsctlAs('mine', SECRET, '{"auths":{}}');
  expect((await kopsctlAs('nobody', ['get', 'secrets'])).stdout).toContain('dockerconfig');
  expect(await kopsctlAs('nobody', ['delete', 'secret', 'dockerconfig', '--yes'])).toMatchObject({ exitCode: 0 });
  await expect(stored()).rejects.toThrow('ENOENT');
});

test.each([
  ['metal', 'projects/p/locations/l/keyRings/r/cryptoKeys/k', 'machines of this cloud cannot open sealed objects'],
  ['local', 'AGE-SECRET-KEY-1QQQQ', 'it names no key'],
])('on %s the key %s is refused with its line, and not stored', async (cloud, key, why) => {
  const refused = await kopsctlAs('mine', ['create', '-f', '-'], clusterWith(key, cloud));
  expect(refused.exitCode).toBe(3);
  expect(refused.stderr).toContain(why);
  expect(refused.stderr).toMatch(/:6:5/);
  expect(refused.stderr).not.toContain('AGE-SECRET-KEY-1QQQQ');
});
