import { publishedHashes } from '@kopsctl/assets/published-hashes.ts';
import { awsModelCloud } from '@kopsctl/clouds/aws/control/model/model-cloud.ts';
import { aws } from '@kopsctl/clouds/aws/control/aws.ts';
import type { Cluster, ContainerdConfig } from '@kopsctl/spec/cluster.ts';
import { completeCluster } from '@kopsctl/spec/complete.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import { expect, it } from 'vitest';
import { clusterFacts } from '../cluster-facts.ts';
import type { PublishedAsset } from './published-asset.ts';
import { agentsBinary, type NamedFile, publishedAssets } from './published-assets.ts';

function assetsFor(
  kubernetesVersion: string,
  arch: PublishedAsset['arch'] = 'amd64',
  containerd?: ContainerdConfig,
  cniPlugins?: NamedFile,
): ReturnType<typeof publishedAssets> {
  const cluster: Cluster = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'Cluster',
    metadata: { name: 'demo.example.com' },
    spec: {
      cloudProvider: 'aws',
      kubernetesVersion,
      subnets: [{ name: 'a', zone: 'us-east-1a', type: 'Public' }],
      ...(containerd && { containerd }),
    },
  };
  const group: InstanceGroup = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'InstanceGroup',
    metadata: { name: 'cp' },
    spec: { role: 'Master', minSize: 1, maxSize: 1 },
  };
  const completed = completeCluster({ cluster, instanceGroups: [group] }, { stateStoreUrl: 's3://state' }, aws);
  const facts = clusterFacts(completed.cluster, 's3://state', awsModelCloud);
  const agents = { version: '0.1.0', baseUrl: 'https://agents.example.com' };
  return publishedAssets(facts, group, { agents, ...(cniPlugins && { cniPlugins }) }, arch);
}

const namesFor = (kubernetesVersion: string): readonly string[] => assetsFor(kubernetesVersion).map(({ name }) => name);

it.each([
  ['https://agents.example.com', 'https://agents.example.com/v0.1.0'],
  ['http://files.example.com:8080/kopsctl/', 'http://files.example.com:8080/kopsctl/v0.1.0'],
])('finds the agents and their hash in the folder of a release at %s', (baseUrl, folder) => {
  const file = `${folder}/kops-agents-linux-arm64`;
  expect(agentsBinary({ version: '0.1.0', baseUrl }, 'arm64')).toMatchObject({
    // The path that a mirror has it by.
    file: new URL(file).pathname.slice(1),
    urls: [file],
    sha256Url: `${folder}/SHA256SUMS`,
  });
});

it('lists the etcd of the minor before too, which serves data that a cluster brings along until it is backed up', () => {
  const etcds = (version: string) => namesFor(version).filter((name) => name.startsWith('etcd-'));
  expect(etcds('1.34.0')).toEqual(['etcd-3.6.12', 'etcd-3.5.31']);
  expect(etcds('1.33.0')).toEqual(['etcd-3.5.31', 'etcd-3.4.13']);
  expect(etcds('1.20.2')).toEqual(['etcd-3.4.13']);
});

it('lists the program that gives kubelet access to ECR where kubelet has none by itself', () => {
  expect(namesFor('1.27.0')).toContain('ecr-credential-provider');
  expect(namesFor('1.26.15')).not.toContain('ecr-credential-provider');
});

/** Nobody publishes a list of their hashes for all versions that a release of ours could include. */
const READ_WHEN_PLANNED = ['agents', 'etcd'];

it.each(['amd64', 'arm64'] as const)('the table of hashes has what upstream projects had published for %s', (arch) => {
  const table = publishedHashes();
  const missingIn = (version: string) =>
    assetsFor(version, arch)
      .filter(({ urls: [url = ''] }) => !table.has(url))
      .map(({ name }) => name.replace(/-.*/, ''));
  for (const version of ['1.32.0', '1.33.1', '1.34.0', '1.35.0', RECOMMENDED_KUBERNETES]) {
    expect([...new Set(missingIn(version))].toSorted()).toEqual(READ_WHEN_PLANNED);
  }
  // Older than the oldest Kubernetes of the kops that the table was taken from.
  for (const version of ['1.20.2', '1.23.17', '1.27.0', '1.31.14']) {
    expect([...new Set(missingIn(version))].toSorted()).toEqual([...READ_WHEN_PLANNED, 'kubectl', 'kubelet']);
  }
});

it('takes containerd and runc from where the spec says, with the hash that it names, for that processor alone', () => {
  const [hash, url] = ['ab'.repeat(32), 'https://mirror.example.com/own/containerd.tar.gz'];
  const containerd = {
    packages: { urlAmd64: url, hashAmd64: hash },
    runc: { packages: { urlArm64: 'https://mirror.example.com/runc', hashArm64: hash } },
  };
  const found = (arch: PublishedAsset['arch'], name: string) =>
    assetsFor('1.35.0', arch, containerd).find((one) => one.name === name);
  expect(found('amd64', 'containerd')).toMatchObject({ urls: [url], sha256: hash, file: 'own/containerd.tar.gz' });
  expect(found('arm64', 'containerd')).not.toHaveProperty('sha256');
  expect(found('arm64', 'runc')).toMatchObject({ urls: ['https://mirror.example.com/runc'], sha256: hash });
  expect(found('amd64', 'runc')).not.toHaveProperty('sha256');
});

it.each([
  ['1.31.14', '1.5.1'],
  ['1.33.1', '1.6.2'],
  ['1.34.4', '1.7.1'],
  ['1.35.0', '1.8.0'],
  ['1.36.3', '1.9.1'],
])('for Kubernetes %s, the CNI plugins are those of kops: %s', (kubernetesVersion, version) => {
  expect(assetsFor(kubernetesVersion).find(({ name }) => name === 'cni')?.version).toBe(version);
});

it('has the CNI plugins that a person named, with their hash', () => {
  const named = { url: 'https://files.example.com/plugins/cni.tgz', sha256: 'c'.repeat(64) };
  const cni = assetsFor('1.34.0', 'amd64', undefined, named).find(({ name }) => name === 'cni');
  expect(cni).toMatchObject({ file: 'plugins/cni.tgz', urls: [named.url], sha256: named.sha256 });
});

it.each(['amd64', 'arm64'] as const)('has crictl and nerdctl where the spec wants them, with hashes for %s', (arch) => {
  const containerd = { installCriCtl: true, installNerdCtl: true };
  const tools = assetsFor('1.35.0', arch, containerd).filter(({ name }) => ['crictl', 'nerdctl'].includes(name));
  expect(tools.map(({ name }) => name)).toEqual(['crictl', 'nerdctl']);
  expect(tools.map(({ urls: [url = ''] }) => publishedHashes().has(url))).toEqual([true, true]);
  const plain = assetsFor('1.35.0', arch).map(({ name }) => name);
  expect(plain).not.toContain('crictl');
  expect(plain).not.toContain('nerdctl');
});
