import type { WantedPackages } from '@kopsctl/packaging-assets/debian-packages.ts';
import type { GoModule } from '@kopsctl/packaging-assets/go-module.ts';
import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';

/**
 * The source of a peer, which also determines how it is verified:
 *
 *   packages    Debian packages, unpacked and not installed. apt verifies each package by its hash in the package lists,
 *               and the lists by the archive's signature.
 *   root        packages that are installed, in a separate root file system.
 *   pypi        wheels of PyPI, for a Python program that Debian does not have. pip verifies each by the SHA-256 in the
 *               table, and installs nothing that is not in it.
 *   assets      programs that clusters run too, by the table in packaging/assets. The hashes of what is compiled are
 *               recorded and verified at each use.
 *   go-module   programs that only tests run, compiled from a published module in the same way.
 */
export type PeerSource =
  | ({ readonly from: 'packages' | 'root' } & WantedPackages)
  | { readonly from: 'pypi'; readonly wheels: readonly Wheel[] }
  | {
      readonly from: 'assets';
      /** The row of the table, and the version of Kubernetes for which rows are made. */
      readonly thing: string;
      readonly kubernetes: string;
    }
  | { readonly from: 'go-module'; readonly module: GoModule; readonly others?: readonly GoModule[] };

/** A package of PyPI, in the wheel for Debian 12 on amd64. */
export interface Wheel {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
}

export type PeerRow = PeerSource & {
  /** What the tests use the peer for. Part of the name in the cache, as the whole row is. */
  readonly what: string;
  /** Only what is run by hand needs it: it is provided when that asks for it, and not beforehand. */
  readonly onDemand?: true;
};

const ETCD_PACKAGES = ['etcd-server', 'etcd-client'];

const etcdModule = (program: string, folder: string, version: string): GoModule => ({
  path: `go.etcd.io/etcd/${folder}/v3`,
  version,
  programs: { [program]: '.' },
});

const wheel = (name: string, version: string, sha256: string): Wheel => ({ name, version, sha256 });

/** All third-party software that tests run against, and the packages that contain it. */
export const PEERS = {
  'etcd-3.3': {
    what: 'etcd without learners, the last that can read and write data of etcd 2',
    from: 'packages',
    suite: 'bullseye',
    packages: ETCD_PACKAGES,
  },
  'etcd-3.4': {
    what: 'the etcd of Kubernetes 1.20, on which most tests of etcd-manager run',
    from: 'packages',
    suite: 'bookworm',
    packages: ETCD_PACKAGES,
  },
  'etcd-3.5': {
    what: 'the next minor version of etcd, to upgrade to',
    from: 'packages',
    suite: 'trixie',
    packages: ETCD_PACKAGES,
  },
  'etcd-3.6': {
    what: 'the etcd of the newest Kubernetes',
    from: 'assets',
    thing: 'programs/etcd-3.6',
    kubernetes: RECOMMENDED_KUBERNETES,
  },
  'etcd-3.5-newest': {
    what: 'the newest 3.5, from which etcd can be upgraded to 3.6',
    from: 'assets',
    thing: 'programs/etcd-3.5',
    kubernetes: '1.33.4',
  },
  'etcd-3.7': {
    what: 'the newest etcd, which no Kubernetes asks for yet',
    from: 'go-module',
    module: etcdModule('etcd', 'server', 'v3.7.3'),
    others: [etcdModule('etcdctl', 'etcdctl', 'v3.7.3'), etcdModule('etcdutl', 'etcdutl', 'v3.7.3')],
  },
  'cfn-lint': {
    what: 'the linter of AWS for CloudFormation, which has the schema of every resource',
    from: 'pypi',
    // The first is the program, the others are what it imports.
    wheels: [
      wheel('cfn-lint', '1.58.0', '9d9f06043160756a6158f5c3f92a44ce38254b1c578127461608305bc8262987'),
      wheel('jsonpatch', '1.48', '389f25f006940b7bc939c33ca0f6cf8875527dc70599520652a269040ce40b63'),
      wheel('jsonpointer', '3.12', '89f391335ee2719ae72149e1bf30a4d4c7c5d92f15a3f53faa8d20cc7c6c7f19'),
      wheel('mpmath', '1.3.0', 'a0b2b9fe80bbcd81a6647ff13108738cfb482d481d826cc0e02f5b35e5c88d2c'),
      wheel('networkx', '3.6.1', 'd47fbf302e7d9cbbb9e2555a0d267983d2aa476bac30e90dfbe5669bd57f3762'),
      wheel('PyYAML', '6.0.4', '622aa875fa6533f25fedcffe23079357d65a690d462200afed5d8e9d0e01ebee'),
      wheel('regex', '2026.11.19', '86d3b2ea69b3c56df3e8ddbac6cd98eaf5a8c5b5e7e006897ebdf7a28d6818e6'),
      wheel('sympy', '1.14.0', 'e091cc3e99d2141a0ba2847328f5479b05d94a6635cb96148ccb3f34671bd8f5'),
      wheel('typing_extensions', '4.16.0', '481caa481374e813c1b176ada14e97f1f67a4539ce9cfeb3f350d78d6370c2e8'),
    ],
  },
  'fake-gcs-server': {
    what: 'a third-party server of the API of Cloud Storage, which holds uploads to their preconditions (deletions it does not)',
    from: 'go-module',
    module: {
      path: 'github.com/fsouza/fake-gcs-server',
      version: 'v1.56.1',
      programs: { 'fake-gcs-server': '.' },
    },
  },
  kops: {
    what: 'kops itself, the newest that can be had, to take a cluster over from and to give it back to',
    from: 'go-module',
    module: {
      path: 'k8s.io/kops',
      version: 'v1.36.2',
      programs: { kops: 'cmd/kops' },
    },
  },
  'kubernetes-1.20': {
    what: 'the oldest API server, and kubectl',
    from: 'assets',
    thing: 'kubernetes-1.20',
    kubernetes: '1.20.2',
  },
  'kubernetes-newest': {
    what: 'the newest API server',
    from: 'assets',
    thing: `kubernetes-${RECOMMENDED_KUBERNETES.replace(/\.\d+$/, '')}`,
    kubernetes: RECOMMENDED_KUBERNETES,
  },
  'debian-12': {
    what: 'a new Debian, in which the package of a release is installed',
    from: 'root',
    suite: 'bookworm',
    packages: ['libc6', 'libgcc-s1', 'libstdc++6'],
    onDemand: true,
  },
  'qemu-arm64': {
    what: 'the emulator and the libraries with which the executables of a release for arm64 are started',
    from: 'packages',
    suite: 'bookworm',
    packages: ['qemu-user-static', 'libc6-arm64-cross', 'libgcc-s1-arm64-cross', 'libstdc++6-arm64-cross'],
    onDemand: true,
  },
  kwok: {
    what: 'thousands of Nodes without machines on a real API server',
    from: 'go-module',
    module: { path: 'sigs.k8s.io/kwok', version: 'v0.8.0', programs: { kwok: 'cmd/kwok' } },
    onDemand: true,
  },
  registry: {
    what: 'the registry of the CNCF (distribution), to pull images from',
    from: 'go-module',
    module: {
      path: 'github.com/distribution/distribution/v3',
      version: 'v3.1.2',
      programs: { registry: 'cmd/registry' },
    },
  },
  serf: {
    what: 'memberlist as HashiCorp wrote it, to gossip with',
    from: 'packages',
    suite: 'bookworm',
    packages: ['serf'],
  },
  shells: {
    what: 'the shells beside bash in which command lines are completed',
    from: 'packages',
    suite: 'bookworm',
    packages: ['fish', 'fish-common', 'libpcre2-32-0', 'zsh', 'zsh-common', 'libcap2'],
  },
  systemd: {
    what: 'systemd-analyze of Debian 12, which tells how exposed a unit is',
    from: 'packages',
    suite: 'bookworm',
    packages: ['systemd', 'libsystemd-shared'],
  },
  'openssh-server': {
    what: 'what Debian 12 on a machine of its own has beside the base image of local machines: SSH, logrotate',
    from: 'packages',
    suite: 'bookworm',
    packages: ['openssh-server', 'libwrap0', 'libnsl2', 'libtirpc3', 'logrotate', 'libpopt0'],
  },
  bind9: {
    what: 'a name server that takes dynamic updates',
    from: 'packages',
    suite: 'bookworm',
    packages: words(`bind9 bind9-libs bind9-utils libuv1 libmaxminddb0 liblmdb0 libjemalloc2 libfstrm0 libprotobuf-c1
      libnghttp2-14 libjson-c5 libcap2 libxml2 libicu72`),
  },
  knot: {
    what: 'another name server that takes dynamic updates',
    from: 'packages',
    suite: 'bookworm',
    packages:
      words(`knot libdnssec9 libknot13 libzscanner4 liburcu8 liblmdb0 libxdp1 libbpf1 libcap-ng0 libelf1 libnghttp2-14
      libmaxminddb0 libfstrm0 libprotobuf-c1`),
  },
  moto: {
    what: 'the APIs of AWS; jsonpath-ng and ply are for its EventBridge',
    from: 'packages',
    // The SDK of AWS cannot parse the times that the version of trixie writes.
    suite: 'sid',
    packages:
      words(`moto boto3 botocore s3transfer jmespath dateutil six flask werkzeug jinja2 markupsafe itsdangerous click
      blinker requests urllib3 idna certifi chardet charset-normalizer responses xmltodict antlr4 flask-cors yaml jsonpath-ng
      ply`).map((name) => `python3-${name}`),
  },
  radosgw: {
    what: 'the S3 of Ceph, whose conditional writes are atomic',
    from: 'packages',
    suite: 'sid',
    packages: ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common', 'base-files', 'bash', 'coreutils'],
    // Its libraries are newer than this machine's.
    closure: true,
  },
} as const satisfies Record<string, PeerRow>;

export type PeerName = keyof typeof PEERS;

export const PEER_NAMES: readonly PeerName[] = Object.keys(PEERS) as PeerName[];

/** Only what is run by hand needs it. */
export const isOnDemand = (name: PeerName): boolean => {
  const row: PeerRow = PEERS[name];
  return row.onDemand === true;
};

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
