import { localModelCloud } from '@kopsctl/clouds/local/control/model/model-cloud.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { NodePlan } from '@kopsctl/node-plan/node-plan.ts';
import { type Task, taskId } from '@kopsctl/tasks/task.ts';
import { expect, test } from 'vitest';
import { isRecord } from '@kopsctl/tasks/record.ts';
import type { SecretHashes } from '../store/brought-secrets.ts';
import { clusterFacts } from '../cluster-facts.ts';
import { secrets as secretTasks } from '../store/keysets.ts';
import { ASSETS } from '../testdata/asset-index.ts';
import { completedCluster } from '../testdata/clusters.ts';
import { buildNodePlan } from './node-plan.ts';

const ENCRYPTION_FILE = '/srv/kubernetes/kube-apiserver/encryptionconfig.yaml';
const DOCKER_FILES = ['/root/.docker/config.json', '/var/lib/kubelet/config.json'];

function plansOf(spec: ClusterSpec, secrets: SecretHashes = {}) {
  const { cluster, instanceGroups } = completedCluster({ spec });
  const plans = instanceGroups.map((instanceGroup) =>
    buildNodePlan({ cloud: localModelCloud, cluster, instanceGroup, nodeStoreUrl: 'http://s', secrets }, ASSETS, ['']),
  );
  const of = (role: NodePlan['role']): NodePlan => {
    const plan = plans.find((one) => one.role === role);
    if (plan === undefined) throw new Error(`no group of ${role}`);
    return plan;
  };
  return { controlPlane: of('ControlPlane'), worker: of('Node') };
}

const fileAt = ({ tasks }: NodePlan, path: string): Task | undefined =>
  tasks.find(({ kind, props }) => kind === 'File' && props['path'] === path);

function manifestOf(plan: NodePlan): string {
  const content = fileAt(plan, '/etc/kubernetes/manifests/kube-apiserver.manifest')?.props['content'];
  return isRecord(content) && typeof content['text'] === 'string' ? content['text'] : '';
}

test('an API server encrypts what it stores with the secret, which the plan names and does not hold', () => {
  const { controlPlane, worker } = plansOf({ encryptionConfig: true }, { encryptionconfig: 'abc' });
  const file = fileAt(controlPlane, ENCRYPTION_FILE);
  expect(file?.props).toMatchObject({ content: { secret: 'encryptionconfig' }, mode: '0600', sensitive: true });
  expect(manifestOf(controlPlane)).toContain(`--encryption-provider-config=${ENCRYPTION_FILE}`);
  const needs = controlPlane.tasks.find(({ name }) => name.endsWith('kube-apiserver.manifest'))?.props['after'];
  expect(needs).toContainEqual({ ref: file && taskId(file) });
  expect(JSON.stringify(worker)).not.toContain('encryptionconfig');
});

test('machines of a control plane whose secret was replaced are outdated, and no others', () => {
  const [before, after] = ['abc', 'def'].map((hash) => plansOf({ encryptionConfig: true }, { encryptionconfig: hash }));
  expect(before?.controlPlane).not.toEqual(after?.controlPlane);
  expect(before?.worker).toEqual(after?.worker);
});

test.each<ClusterSpec>([{}, { encryptionConfig: false }])('without the wish nothing is encrypted: %j', (spec) => {
  const { controlPlane } = plansOf(spec, { encryptionconfig: 'abc' });
  expect(JSON.stringify(controlPlane)).not.toMatch(/encryption-?(provider-)?config/i);
});

test('a file of a person with the keys takes no secret', () => {
  const file = '/etc/keys.yaml';
  const { controlPlane } = plansOf({ kubeAPIServer: { encryptionProviderConfig: file } });
  expect(manifestOf(controlPlane)).toContain(`--encryption-provider-config=${file}`);
  expect(JSON.stringify(controlPlane)).not.toContain('encryptionconfig');
});

test('a control plane has the credentials of registries where somebody brought them, before its kubelet starts', () => {
  const { controlPlane } = plansOf({}, { dockerconfig: 'abc' });
  const files = DOCKER_FILES.map((path) => fileAt(controlPlane, path));
  for (const file of files) {
    expect(file?.props).toMatchObject({ content: { secret: 'dockerconfig' }, mode: '0600', sensitive: true });
  }
  const kubelet = controlPlane.tasks.find(({ kind, name }) => kind === 'Service' && name === 'kubelet.service');
  expect(kubelet?.props['after']).toEqual(
    expect.arrayContaining(files.flatMap((file) => (file === undefined ? [] : [{ ref: taskId(file) }]))),
  );
});

test('a worker gets them once it is attested, and its plan reads no secret', () => {
  const { worker } = plansOf({}, { dockerconfig: 'abc' });
  expect(DOCKER_FILES.map((path) => fileAt(worker, path))).toEqual([undefined, undefined]);
  const config = fileAt(worker, '/etc/kops/protokube.json')?.props['content'];
  const text = isRecord(config) && typeof config['text'] === 'string' ? config['text'] : '';
  expect(JSON.parse(text)).toMatchObject({
    identity: { secrets: expect.arrayContaining(DOCKER_FILES.map((path) => ({ name: 'dockerconfig', path }))) },
  });
  for (const plan of Object.values(plansOf({}))) expect(JSON.stringify(plan)).not.toContain('dockerconfig');
});

test.each<readonly [string, ClusterSpec, readonly string[]]>([
  ['encryption of what is stored', { encryptionConfig: true }, ['encryptionconfig']],
  ['keys of IPsec', { networking: { cilium: { enableEncryption: true } } }, ['ciliumpassword']],
  ['WireGuard', { networking: { cilium: { enableEncryption: true, encryptionType: 'wireguard' } } }, []],
  ['nothing', {}, []],
])('a person has to bring the secret for %s', (_wish, spec, names) => {
  const tasks = secretTasks(clusterFacts(completedCluster({ spec }).cluster, 'http://s', localModelCloud));
  expect(tasks.filter(({ props }) => props['kind'] === 'brought').map(({ name }) => name)).toEqual(names);
});
