import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { containerdSettings } from '../runtime/containerd-settings.ts';
import { type PinnedAsset, pinnedBy } from './pinned-asset.ts';
import type { PublishedAsset } from './published-asset.ts';
import { registryCredentialsOf } from '../node/registry-credentials.ts';
import { type RuntimeTool, runtimeTools } from '../runtime/runtime-tools.ts';
import { etcdBefore } from '@kopsctl/spec/kubernetes-versions.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';

type Arch = PublishedAsset['arch'];

/** The assets that the machines of a group need, and that upstream projects publish or the spec names. */
export function publishedAssets(
  facts: ClusterFacts,
  group: InstanceGroup,
  { agents, cniPlugins }: Downloads,
  arch: Arch,
): readonly (PublishedAsset | PinnedAsset)[] {
  const containerd = containerdSettings(facts.spec, group);
  return [
    agentsBinary(agents, arch),
    ...['kubelet', 'kubectl'].map((name) => kubernetesBinary(name, facts.kubernetesVersion, arch)),
    ...(containerd.version === undefined
      ? []
      : [pinnedBy(containerdArchive(bareVersion(containerd.version), arch), containerd.packages)]),
    ...(containerd.runc?.version === undefined
      ? []
      : [pinnedBy(runcBinary(bareVersion(containerd.runc.version), arch), containerd.runc.packages)]),
    ...(containerd.version === undefined ? [] : runtimeTools(containerd).map((tool) => toolArchive(tool, arch))),
    // No field of the API names them, but a person may name another archive.
    cniPlugins === undefined
      ? cniArchive(facts.kubernetes.cniPluginsVersion, arch)
      : namedFile('cni', arch, cniPlugins),
    ...credentialProgram(facts, arch),
    ...publishedEtcds(facts, arch),
  ];
}

function credentialProgram(facts: ClusterFacts, arch: Arch): readonly PublishedAsset[] {
  const credentials = registryCredentialsOf(facts);
  if (credentials === undefined) return [];
  return [published(credentials.name, credentials.version, arch, credentials.url(arch))];
}

/**
 * The etcd archives of a cluster's etcd clusters: of the versions that they run, and of the versions that they ran before. A member
 * whose data is of the older minor version is first served by that version, backed up and then upgraded, on a new machine too.
 */
export function publishedEtcds(
  { etcdClusters }: Pick<ClusterFacts, 'etcdClusters'>,
  arch: Arch,
): readonly PublishedAsset[] {
  const wanted = etcdClusters.flatMap(({ version }) => version ?? []).map(bareVersion);
  const versions = new Set(wanted.flatMap((version) => [version, etcdBefore(version) ?? version]));
  return [...versions].map((version) => etcdArchive(version, arch));
}

/** What machines download that no field of the API names. */
export interface Downloads {
  readonly agents: AgentsRelease;
  readonly cniPlugins?: NamedFile;
}

/** A file whose address and hash a person named. */
export interface NamedFile {
  readonly url: string;
  readonly sha256: string;
}

/** It has the same address for each processor: the person who names it knows what the machines are. */
const namedFile = (name: string, arch: Arch, { url, sha256 }: NamedFile): PinnedAsset => ({
  name,
  version: NAMED_VERSION,
  arch,
  file: new URL(url).pathname.slice(1),
  urls: [url],
  sha256,
});

/** Nobody asks for a version of it. */
const NAMED_VERSION = '0.0.0';

/**
 * Where a release of this suite is published, as `npm run release` makes it: the files are side by side in
 * `<baseUrl>/v<version>`, because a release at GitHub has no folders.
 */
export interface AgentsRelease {
  readonly version: string;
  readonly baseUrl: string;
}

const published = (
  name: string,
  version: string,
  arch: Arch,
  url: string,
  sha256Url = `${url}.sha256`,
): PublishedAsset => ({ name, version, arch, file: new URL(url).pathname.slice(1), urls: [url], sha256Url });

/** The agents of a release for one processor. Their hash is in the list of its checksums. */
export function agentsBinary({ version, baseUrl }: AgentsRelease, arch: Arch): PublishedAsset {
  const folder = `${baseUrl.replace(/\/$/, '')}/v${version}`;
  return published(`agents-${arch}`, version, arch, `${folder}/kops-agents-linux-${arch}`, `${folder}/SHA256SUMS`);
}

/** Source: kubernetes.io, "Download Kubernetes". */
const kubernetesBinary = (name: string, version: string, arch: Arch): PublishedAsset =>
  published(name, version, arch, `https://dl.k8s.io/release/v${version}/bin/linux/${arch}/${name}`);

const github = (project: string, tag: string, file: string): string =>
  `https://github.com/${project}/releases/download/${tag}/${file}`;

function containerdArchive(version: string, arch: Arch): PublishedAsset {
  const url = github('containerd/containerd', `v${version}`, `containerd-${version}-linux-${arch}.tar.gz`);
  return published('containerd', version, arch, url, `${url}.sha256sum`);
}

function runcBinary(version: string, arch: Arch): PublishedAsset {
  const url = github('opencontainers/runc', `v${version}`, `runc.${arch}`);
  return published('runc', version, arch, url, github('opencontainers/runc', `v${version}`, 'runc.sha256sum'));
}

function toolArchive({ name, version }: RuntimeTool, arch: Arch): PublishedAsset {
  if (name === 'crictl') {
    const file = `crictl-v${version}-linux-${arch}.tar.gz`;
    return published(name, version, arch, github('kubernetes-sigs/cri-tools', `v${version}`, file));
  }
  const url = github('containerd/nerdctl', `v${version}`, `nerdctl-${version}-linux-${arch}.tar.gz`);
  return published(name, version, arch, url, github('containerd/nerdctl', `v${version}`, 'SHA256SUMS'));
}

const cniArchive = (version: string, arch: Arch): PublishedAsset =>
  published(
    'cni',
    version,
    arch,
    github('containernetworking/plugins', `v${version}`, `cni-plugins-linux-${arch}-v${version}.tgz`),
  );

function etcdArchive(version: string, arch: Arch): PublishedAsset {
  const url = github('etcd-io/etcd', `v${version}`, `etcd-v${version}-linux-${arch}.tar.gz`);
  return published(`etcd-${version}`, version, arch, url, github('etcd-io/etcd', `v${version}`, 'SHA256SUMS'));
}
