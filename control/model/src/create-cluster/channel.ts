import semver from 'semver';
import type { CloudName } from './flags.ts';

/*
 * What kops's stable channel recommends (kubernetes/kops channels/stable, and the defaults beside it in
 * upup/pkg/fi/cloudup/new_cluster.go), as of July 2026. This is the one place where such facts are kept.
 */

export type Architecture = 'amd64' | 'arm64';

/** What a cluster runs when nobody names a version. */
export const RECOMMENDED_KUBERNETES = '1.35.0';

interface ChannelImage {
  readonly cloud: CloudName;
  readonly architecture: Architecture;
  /** The oldest Kubernetes it is for; the newest entry that fits wins. */
  readonly since: string;
  readonly name: string;
}

const ubuntuOnAws = (architecture: Architecture): readonly ChannelImage[] =>
  [
    { since: '1.20.0', name: `hvm-ssd/ubuntu-focal-20.04-${architecture}-server-20231004` },
    { since: '1.27.0', name: `hvm-ssd/ubuntu-jammy-22.04-${architecture}-server-20231207` },
    { since: '1.31.0', name: `hvm-ssd-gp3/ubuntu-noble-24.04-${architecture}-server-20260714` },
  ].map(({ since, name }) => ({
    cloud: 'aws',
    architecture,
    since,
    // 099720109477 is the account of Canonical.
    name: `099720109477/ubuntu/images/${name}`,
  }));

const amd64 = (cloud: CloudName, images: Readonly<Record<string, string>>): readonly ChannelImage[] =>
  Object.entries(images).map(([since, name]) => ({ cloud, architecture: 'amd64', since, name }));

const IMAGES: readonly ChannelImage[] = [
  ...ubuntuOnAws('amd64'),
  ...ubuntuOnAws('arm64'),
  ...amd64('gce', {
    '1.20.0': 'ubuntu-os-cloud/ubuntu-2004-focal-v20221018',
    '1.27.0': 'ubuntu-os-cloud/ubuntu-2204-jammy-v20230919',
    '1.31.0': 'ubuntu-os-cloud/ubuntu-2404-noble-amd64-v20260615',
  }),
  ...amd64('azure', { '1.20.0': 'Canonical:ubuntu-24_04-lts:server:24.04.202606060' }),
  ...amd64('digitalocean', {
    '1.20.0': 'ubuntu-20-04-x64',
    '1.27.0': 'ubuntu-22-04-x64',
    '1.31.0': 'ubuntu-24-04-x64',
  }),
  ...amd64('hetzner', { '1.20.0': 'ubuntu-20.04', '1.27.0': 'ubuntu-22.04', '1.31.0': 'ubuntu-24.04' }),
  ...amd64('linode', { '1.20.0': 'linode/ubuntu22.04', '1.31.0': 'linode/ubuntu24.04' }),
  ...amd64('scaleway', { '1.20.0': 'ubuntu_focal', '1.27.0': 'ubuntu_jammy', '1.31.0': 'ubuntu_noble' }),
];

/** The machine image the channel names; undefined where it names none, as on OpenStack. */
export function defaultImage(cloud: CloudName, kubernetes: string, architecture: Architecture): string | undefined {
  const release = semver.coerce(kubernetes)?.version ?? RECOMMENDED_KUBERNETES;
  return IMAGES.filter((image) => image.cloud === cloud && image.architecture === architecture)
    .filter(({ since }) => semver.lte(since, release))
    .toSorted((left, right) => semver.compare(left.since, right.since))
    .at(-1)?.name;
}

export type MachineRole = 'controlPlane' | 'node' | 'apiServer' | 'bastion';

const everywhere = (machine: string, bastion = machine): Readonly<Record<MachineRole, string>> => ({
  controlPlane: machine,
  node: machine,
  apiServer: machine,
  bastion,
});

/** OpenStack has none: each of its clouds names flavors of its own. */
const MACHINE_TYPES: Readonly<Partial<Record<CloudName, Readonly<Record<MachineRole, string>>>>> = {
  // kops asks the account for the first of its candidates that every zone offers; these are the first.
  aws: everywhere('t3.medium', 't3.micro'),
  gce: everywhere('e2-medium', 'e2-micro'),
  azure: everywhere('Standard_B2s'),
  digitalocean: everywhere('s-2vcpu-4gb'),
  hetzner: everywhere('cx23'),
  // Linode's smallest with 4 GiB of memory.
  linode: everywhere('g6-standard-2'),
  scaleway: everywhere('DEV1-M'),
};

export const defaultMachineType = (cloud: CloudName, role: MachineRole): string | undefined =>
  MACHINE_TYPES[cloud]?.[role];

/** AWS's families on its own processors: a1, and those with a g after the generation (m6g, c7gn, t4g …). */
const GRAVITON = /^(a1|[a-z]+\d+g[a-z]*)\./;

export const architectureOf = (cloud: CloudName, machineType: string | undefined): Architecture =>
  cloud === 'aws' && machineType !== undefined && GRAVITON.test(machineType) ? 'arm64' : 'amd64';
