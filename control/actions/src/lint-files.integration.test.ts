import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lintFiles } from './lint-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-lint-'));
});
afterAll(() => rm(folder, { recursive: true }));

const CLUSTER = `apiVersion: kops.k8s.io/v1alpha2
kind: Cluster
metadata:
  name: demo.local.test
spec:
  cloudProvider: local
  networkCIDR: 172.30.0.0/22
`;
const group = (maxSize: number) => `---
apiVersion: kops.k8s.io/v1alpha2
kind: InstanceGroup
metadata:
  name: control-plane
  labels:
    kops.k8s.io/cluster: demo.local.test
spec:
  role: Master
  minSize: 1
  maxSize: ${maxSize}
`;

async function lint(text: string, env: NodeJS.ProcessEnv = {}) {
  const file = join(folder, 'spec.yaml');
  await writeFile(file, text);
  return lintFiles([file], env);
}

test('objects without a fault are named', async () => {
  expect(await lint(CLUSTER + group(1))).toEqual([
    { cluster: 'demo.local.test', titles: ['cluster/demo.local.test', 'instancegroup/control-plane'], remarks: [] },
  ]);
});

test('a file of a group alone is checked as far as that goes', async () => {
  expect(await lint(group(1))).toEqual([
    { cluster: 'demo.local.test', titles: ['instancegroup/control-plane'], remarks: [] },
  ]);
});

test('fields without an effect are told with file and line, of a whole cluster', async () => {
  const [linted] = await lint(`${CLUSTER}  sshKeyName: mine\n${group(1)}`);
  expect(linted?.remarks).toEqual([
    {
      what: 'Left out',
      field: expect.objectContaining({ file: join(folder, 'spec.yaml'), line: 8, path: 'spec.sshKeyName' }),
    },
  ]);
});

test('faults are told with file and line', async () => {
  await expect(lint(CLUSTER + group(0))).rejects.toMatchObject({
    name: 'InvalidSpecError',
    message: expect.stringMatching(/spec\.yaml:\d+:\d+: spec\.m(ax|in)Size/),
  });
});

test('a Kubernetes that is too new is refused, as creating the cluster would', async () => {
  const tooNew = `${CLUSTER}  kubernetesVersion: 1.99.0\n${group(1)}`;
  await expect(lint(tooNew)).rejects.toThrow('spec.yaml:8:3: spec.kubernetesVersion');
  expect(await lint(tooNew, { KOPS_RUN_TOO_NEW_VERSION: '1' })).toHaveLength(1);
});

test('objects that cannot be stored from a file are refused, as storing them would', async () => {
  const keyset = `---
apiVersion: kops.k8s.io/v1alpha2
kind: Keyset
metadata:
  name: kubernetes-ca
  labels:
    kops.k8s.io/cluster: demo.local.test
spec:
  type: Keypair
`;
  await expect(lint(CLUSTER + group(1) + keyset)).rejects.toMatchObject({
    name: 'InvalidSpecError',
    message: expect.stringMatching(/spec\.yaml:\d+:\d+: kind: a Keyset cannot be stored from a file/),
  });
  const credential = keyset.replace('Keyset', 'SSHCredential').replace('type: Keypair', 'publicKey: not a key');
  await expect(lint(CLUSTER + group(1) + credential)).rejects.toThrow('read the SSH public key');
});
