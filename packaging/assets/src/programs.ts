import { kubernetesFacts } from '@kopsctl/spec/kubernetes-versions.ts';
import semver from 'semver';

import { minorOf } from '@kopsctl/spec/minor-version.ts';
import { busyboxFromDebian } from './busybox-source.ts';
import { fromGoModule } from './from-go-module.ts';
import { fromPackages } from './from-packages.ts';
import type { ReleasedFile } from './from-release.ts';
import { fromRelease } from './from-release.ts';
import type { GoModule } from './go-module.ts';
import { KUBERNETES_OF_DEBIAN, kubernetesFromDebian } from './kubernetes-source.ts';
import { PAUSE_VERSION, pauseFromKubernetes } from './pause-source.ts';
import type { ProgramSource } from './program-source.ts';
import type { Arch } from './recipe.ts';
import { OLDEST_COREDNS, OLDEST_ETCD, WANTED } from './wanted-versions.ts';

/** Programs of one release, and where they come from. */
export interface ProgramRow {
  /** Its name in the cache and in --only. Where several versions live side by side, with the minor version of what is made here. */
  readonly thing: string;
  /** The version that is made here. */
  readonly version: string;
  /** The version that its release location and its registry are asked for, if that is another. */
  readonly released?: string;
  /** Tried in this order. */
  readonly sources: readonly [ProgramSource, ...ProgramSource[]];
}

const github = (project: string, tag: string, file: string): string =>
  `https://github.com/${project}/releases/download/${tag}/${file}`;

/** A released file with its hash beside it. */
const released = (url: string, programs: ReleasedFile['programs'], sha256Url = `${url}.sha256`): ReleasedFile => ({
  url,
  sha256Url,
  programs,
});

const KUBERNETES_PROGRAMS = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-proxy',
  'kube-scheduler',
  'kubectl',
  'kubelet',
] as const;

export function kubernetesRow(version: string, arch: Arch): ProgramRow {
  const [first, ...others] = KUBERNETES_PROGRAMS.map((program) =>
    released(`https://dl.k8s.io/release/v${version}/bin/linux/${arch}/${program}`, program),
  );
  if (first === undefined) throw new Error('Kubernetes has programs');
  // Modules of 1.20 need a reflect2 that does not run when today's Go compiles it. Debian has one patch release, fixed.
  const source =
    minorOf(version) === minorOf(KUBERNETES_OF_DEBIAN)
      ? kubernetesFromDebian()
      : fromGoModule({ modules: (patch) => [kubernetesModule(patch)], version });
  return {
    thing: `kubernetes-${minorOf(version)}`,
    version,
    sources: [fromRelease(version, [first, ...others]), source],
  };
}

function kubernetesModule(version: string): GoModule {
  return {
    path: 'k8s.io/kubernetes',
    version: `v${version}`,
    programs: Object.fromEntries(KUBERNETES_PROGRAMS.map((program) => [program, `cmd/${program}`])),
    versionVariables: kubernetesVersionVariables(version),
  };
}

/** What the programs of Kubernetes report as their version. */
export function kubernetesVersionVariables(version: string): Readonly<Record<string, string>> {
  const variable = 'k8s.io/component-base/version';
  const [major = '', minor = ''] = version.split('.');
  return {
    [`${variable}.gitVersion`]: `v${version}`,
    [`${variable}.gitMajor`]: major,
    [`${variable}.gitMinor`]: minor,
  };
}

/** What a version of Kubernetes runs on: the newest containerd, or Debian's where kubelet cannot drive that. */
export function containerdFor(kubernetesVersion: string): string {
  const { containerdRange = '*' } = kubernetesFacts(kubernetesVersion) ?? {};
  return semver.satisfies(WANTED.containerd, containerdRange) ? 'containerd-2' : 'containerd-1';
}

/**
 * Programs whose release and image are of another version than their module. The release is the one that machines and addons
 * ask for by default (wanted-versions.ts). The module is one that the module proxies that we know give with all that it
 * requires, and needs no table of hashes: Go's checksum database knows it.
 */
interface Versions {
  readonly release: string;
  readonly module: string;
}

const COREDNS_IMAGE = 'registry.k8s.io/coredns/coredns';
const COREDNS: readonly [Versions, ...Versions[]] = [
  { release: WANTED.coredns, module: '1.15.0' },
  { release: OLDEST_COREDNS, module: '1.10.1' },
];

/** The image of the newest CoreDNS here that works with a version of Kubernetes. */
export function corednsFor(kubernetesVersion: string): string {
  const range = kubernetesFacts(kubernetesVersion)?.imageRanges[COREDNS_IMAGE] ?? '*';
  const works = ({ release, module }: Versions): boolean =>
    semver.satisfies(release, range) && semver.satisfies(module, range);
  return `image/coredns-${minorOf((COREDNS.find(works) ?? COREDNS[0]).module)}`;
}

export function etcdFor(kubernetesVersion: string): string {
  return `etcd-${minorOf(kubernetesFacts(kubernetesVersion)?.etcdVersion ?? '')}`;
}

/** The programs of etcd, and the module of each. */
const ETCD_MODULES: Readonly<Record<string, string>> = {
  etcd: 'go.etcd.io/etcd/server/v3',
  etcdctl: 'go.etcd.io/etcd/etcdctl/v3',
  etcdutl: 'go.etcd.io/etcd/etcdutl/v3',
};

/** Its hash is published beside it. */
function etcdRelease(version: string, programs: readonly string[], arch: Arch): ProgramSource {
  const folder = `etcd-v${version}-linux-${arch}`;
  const url = github('etcd-io/etcd', `v${version}`, `${folder}.tar.gz`);
  const sha256Url = github('etcd-io/etcd', `v${version}`, 'SHA256SUMS');
  return fromRelease(version, [released(url, sameNames(programs, `${folder}/`), sha256Url)]);
}

export function etcdRow(
  { release: version, module: built }: Versions,
  arch: Arch,
  requires: readonly string[] = [],
): ProgramRow {
  const module = (program: string, patch: string): GoModule => ({
    path: ETCD_MODULES[program] ?? '',
    version: `v${patch}`,
    programs: { [program]: '.' },
    ...(program === 'etcd' ? {} : { requires }),
  });
  return {
    thing: `programs/etcd-${minorOf(built)}`,
    version: built,
    released: version,
    sources: [
      etcdRelease(version, Object.keys(ETCD_MODULES), arch),
      fromGoModule({
        version: built,
        modules: (patch) => [module('etcd', patch), module('etcdctl', patch), module('etcdutl', patch)],
      }),
    ],
  };
}

const CNI_PLUGINS = [
  'bandwidth',
  'bridge',
  'dhcp',
  'dummy',
  'firewall',
  'host-device',
  'host-local',
  'ipvlan',
  'loopback',
  'macvlan',
  'portmap',
  'ptp',
  'sbr',
  'static',
  'tap',
  'tuning',
  'vlan',
  'vrf',
];

/** The folder of a CNI plugin in its module: what it does tells which. */
const CNI_FOLDERS: readonly (readonly [folder: string, plugins: readonly string[]])[] = [
  ['plugins/ipam', ['dhcp', 'host-local', 'static']],
  ['plugins/meta', ['bandwidth', 'firewall', 'portmap', 'sbr', 'tuning', 'vrf']],
];

function cniFolder(plugin: string): string {
  const [folder = 'plugins/main'] = CNI_FOLDERS.find(([, plugins]) => plugins.includes(plugin)) ?? [];
  return `${folder}/${plugin}`;
}

const sameNames = (names: readonly string[], folder = ''): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, `${folder}${name}`]));

const CONTAINERD_PROGRAMS = ['containerd', 'containerd-shim-runc-v2', 'ctr'];

export function containerdRow({ release: version, module }: Versions, arch: Arch): ProgramRow {
  const url = github('containerd/containerd', `v${version}`, `containerd-${version}-linux-${arch}.tar.gz`);
  return {
    thing: 'programs/containerd-2',
    version: module,
    released: version,
    sources: [
      fromRelease(version, [released(url, sameNames(CONTAINERD_PROGRAMS, 'bin/'), `${url}.sha256sum`)]),
      fromGoModule({
        version: module,
        modules: (patch) => [
          {
            path: 'github.com/containerd/containerd/v2',
            version: `v${patch}`,
            programs: sameNames(CONTAINERD_PROGRAMS, 'cmd/'),
            versionVariables: { 'github.com/containerd/containerd/v2/version.Version': patch },
          },
        ],
      }),
    ],
  };
}

export function runcRow({ release: version, module }: Versions, arch: Arch): ProgramRow {
  const file = (name: string): string => github('opencontainers/runc', `v${version}`, name);
  return {
    thing: 'programs/runc',
    version: module,
    released: version,
    sources: [
      fromRelease(version, [released(file(`runc.${arch}`), 'runc', file('runc.sha256sum'))]),
      fromGoModule({
        version: module,
        modules: (patch) => [
          {
            path: 'github.com/opencontainers/runc',
            version: `v${patch}`,
            programs: { runc: '.' },
            versionVariables: { 'main.version': patch },
            tags: ['seccomp'],
            usesC: true,
          },
        ],
        hostTools: [{ program: '/usr/include/seccomp.h', packageName: 'libseccomp-dev' }],
      }),
    ],
  };
}

export function cniRow({ release: version, module }: Versions, arch: Arch): ProgramRow {
  const url = github('containernetworking/plugins', `v${version}`, `cni-plugins-linux-${arch}-v${version}.tgz`);
  return {
    thing: 'programs/cni',
    version: module,
    released: version,
    sources: [
      fromRelease(version, [released(url, sameNames(CNI_PLUGINS))]),
      fromGoModule({
        version: module,
        modules: (patch) => [
          {
            path: 'github.com/containernetworking/plugins',
            version: `v${patch}`,
            programs: Object.fromEntries(CNI_PLUGINS.map((plugin) => [plugin, cniFolder(plugin)])),
          },
        ],
      }),
    ],
  };
}

/** A program whose project publishes only an image: it is compiled, and the image packed around it. */
const moduleRow = (
  thing: string,
  { release, module: version }: Versions,
  module: Omit<GoModule, 'version'>,
): ProgramRow => ({
  thing: `programs/${thing}`,
  version,
  released: release,
  sources: [fromGoModule({ version, modules: (patch) => [{ ...module, version: `v${patch}` }] })],
});

function corednsRow(versions: Versions, arch: Arch): ProgramRow {
  const { release: version } = versions;
  const url = github('coredns/coredns', `v${version}`, `coredns_${version}_linux_${arch}.tgz`);
  const { sources, ...row } = moduleRow(`coredns-${minorOf(versions.module)}`, versions, {
    path: 'github.com/coredns/coredns',
    programs: { coredns: '.' },
  });
  return { ...row, sources: [fromRelease(version, [released(url, { coredns: 'coredns' })]), ...sources] };
}

/** All programs but Kubernetes' own, of which a row is made for each version. To add a program is to add a row. */
export function programRows(arch: Arch): readonly ProgramRow[] {
  return [
    containerdRow({ release: WANTED.containerd, module: '2.4.2' }, arch),
    // Debian's, for kubelets that cannot drive containerd 2.
    {
      thing: 'programs/containerd-1',
      version: '1.6',
      sources: [fromPackages(['containerd'], sameNames(CONTAINERD_PROGRAMS, 'usr/bin/'))],
    },
    runcRow({ release: WANTED.runc, module: '1.5.2' }, arch),
    cniRow({ release: WANTED.cni, module: '1.9.1' }, arch),
    {
      thing: 'programs/docker',
      version: '20.10',
      sources: [
        fromPackages(['docker.io', 'containerd', 'runc', 'tini'], {
          containerd: 'usr/bin/containerd',
          'containerd-shim-runc-v2': 'usr/bin/containerd-shim-runc-v2',
          ctr: 'usr/bin/ctr',
          docker: 'usr/bin/docker',
          'docker-init': 'usr/bin/tini-static',
          'docker-proxy': 'usr/sbin/docker-proxy',
          dockerd: 'usr/sbin/dockerd',
          runc: 'usr/sbin/runc',
        }),
      ],
    },
    {
      thing: 'programs/etcd-3.4',
      version: '3.4',
      released: OLDEST_ETCD,
      // It has no etcdutl yet. Go knows no versions of its module, whose path is not that of a version 3.
      sources: [
        etcdRelease(OLDEST_ETCD, ['etcd', 'etcdctl'], arch),
        fromPackages(['etcd-server', 'etcd-client'], sameNames(['etcd', 'etcdctl'], 'usr/bin/')),
      ],
    },
    // Without it two modules would offer the same package.
    etcdRow({ release: WANTED.etcdBefore, module: '3.5.35' }, arch, ['cloud.google.com/go@v0.121.6']),
    etcdRow({ release: WANTED.etcd, module: '3.6.16' }, arch),
    ...COREDNS.map((versions) => corednsRow(versions, arch)),
    moduleRow(
      'metrics-server',
      { release: WANTED.metricsServer, module: '0.9.0' },
      {
        path: 'sigs.k8s.io/metrics-server',
        programs: { 'metrics-server': 'cmd/metrics-server' },
      },
    ),
    moduleRow(
      'local-path-provisioner',
      { release: WANTED.localPath, module: '0.0.30' },
      {
        path: 'github.com/rancher/local-path-provisioner',
        programs: { 'local-path-provisioner': '.' },
      },
    ),
    moduleRow(
      'snapshot-controller',
      { release: WANTED.snapshotController, module: '8.7.0' },
      {
        path: 'github.com/kubernetes-csi/external-snapshotter/v8',
        programs: { 'snapshot-controller': 'cmd/snapshot-controller' },
      },
    ),
    // The last release that has it; flannel's own has dependencies that the module proxy refuses.
    moduleRow(
      'flannel-cni-plugin',
      { release: WANTED.flannelPlugin, module: '0.9.1' },
      {
        path: 'github.com/containernetworking/plugins',
        programs: { flannel: 'plugins/meta/flannel' },
      },
    ),
    moduleRow(
      'flannel',
      { release: WANTED.flannel, module: '0.26.7' },
      {
        path: 'github.com/flannel-io/flannel',
        programs: { flanneld: '.' },
        usesC: true,
      },
    ),
    {
      thing: 'programs/busybox',
      version: '1.37.0',
      sources: [busyboxFromDebian()],
    },
    {
      thing: 'programs/pause',
      version: PAUSE_VERSION,
      sources: [pauseFromKubernetes()],
    },
  ];
}
