import { chmod, copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';

import type { Resolution } from './apt-root.ts';
import { upstreamVersion } from './apt-root.ts';
import { packTar } from './deterministic-tar.ts';
import type { Arch, Recipe } from './recipe.ts';

interface ArchiveRule {
  readonly thing: string;
  /** Name in the index; the version is appended where several versions live side by side. */
  readonly assetName: (version: string) => string;
  /** The package whose version is the thing's version. */
  readonly packages: readonly [string, ...string[]];
  /** The file's name as upstream's release calls it, without compression. */
  readonly file: (version: string, arch: Arch) => string;
  /** Path in the archive -> path in the unpacked packages. A single entry named '' is placed as it is, without an archive. */
  readonly layout: (version: string, arch: Arch) => Readonly<Record<string, string>>;
}

const CNI_PLUGINS = [
  'bandwidth',
  'bridge',
  'firewall',
  'host-device',
  'host-local',
  'ipvlan',
  'loopback',
  'macvlan',
  'portmap',
  'ptp',
  'tuning',
  'vlan',
];

/** Debian's programs in the layouts of the upstream releases, so that a node cannot tell one from the other. */
const RULES: readonly ArchiveRule[] = [
  {
    thing: 'containerd',
    assetName: () => 'containerd',
    packages: ['containerd'],
    file: (version, arch) => `containerd-${version}-linux-${arch}.tar`,
    layout: () => ({
      'bin/containerd': 'usr/bin/containerd',
      'bin/containerd-shim-runc-v2': 'usr/bin/containerd-shim-runc-v2',
      'bin/ctr': 'usr/bin/ctr',
    }),
  },
  {
    thing: 'runc',
    assetName: () => 'runc',
    packages: ['runc'],
    file: (version, arch) => `runc-${version}.${arch}`,
    layout: () => ({ '': 'usr/sbin/runc' }),
  },
  {
    thing: 'cni',
    assetName: () => 'cni',
    packages: ['containernetworking-plugins'],
    file: (version, arch) => `cni-plugins-linux-${arch}-v${version}.tar`,
    layout: () => Object.fromEntries(CNI_PLUGINS.map((plugin) => [plugin, `usr/lib/cni/${plugin}`])),
  },
  {
    thing: 'docker',
    assetName: () => 'docker',
    packages: ['docker.io', 'containerd', 'runc', 'tini'],
    file: (version) => `docker-${version}.tar`,
    layout: () => ({
      'docker/containerd': 'usr/bin/containerd',
      'docker/containerd-shim-runc-v2': 'usr/bin/containerd-shim-runc-v2',
      'docker/ctr': 'usr/bin/ctr',
      'docker/docker': 'usr/bin/docker',
      'docker/docker-init': 'usr/bin/tini-static',
      'docker/docker-proxy': 'usr/sbin/docker-proxy',
      'docker/dockerd': 'usr/sbin/dockerd',
      'docker/runc': 'usr/sbin/runc',
    }),
  },
  {
    thing: 'etcd',
    assetName: (version) => `etcd-${version}`,
    packages: ['etcd-server', 'etcd-client'],
    file: (version, arch) => `etcd-v${version}-linux-${arch}.tar`,
    layout: (version, arch) => ({
      [`etcd-v${version}-linux-${arch}/etcd`]: 'usr/bin/etcd',
      [`etcd-v${version}-linux-${arch}/etcdctl`]: 'usr/bin/etcdctl',
    }),
  },
];

/** The recipes of everything that Debian has as a program already. */
export function archiveRecipes(resolution: Resolution, arch: Arch, revision: string): readonly Recipe[] {
  return RULES.map((rule) => {
    const version = upstreamVersion(resolution.packages[rule.packages[0]]?.file ?? '');
    return {
      thing: rule.thing,
      version,
      from: `Debian's ${rule.packages.join(', ')}`,
      packages: rule.packages,
      revision,
      async make({ dir, scratch, apt }) {
        const unpacked = path.join(scratch, 'unpacked');
        await apt.unpack(rule.packages, unpacked);
        const file = rule.file(version, arch);
        const layout = rule.layout(version, arch);
        if ('' in layout) {
          await copyFile(path.join(unpacked, layout[''] ?? ''), path.join(dir, file));
          await chmod(path.join(dir, file), 0o755);
        } else {
          const tree = path.join(scratch, 'tree');
          await lay(tree, unpacked, layout);
          await packTar(tree, path.join(dir, file), topLevel(layout));
        }
        return [{ name: rule.assetName(version), version, file }];
      },
    };
  });
}

/** Every package that some archive is made from. */
export const ARCHIVE_PACKAGES: readonly string[] = [...new Set(RULES.flatMap(({ packages }) => packages))];

async function lay(tree: string, unpacked: string, layout: Readonly<Record<string, string>>): Promise<void> {
  for (const [target, source] of Object.entries(layout)) {
    const to = path.join(tree, target);
    await mkdir(path.dirname(to), { recursive: true });
    await copyFile(path.join(unpacked, source), to);
    await chmod(to, 0o755);
  }
}

/** Upstream's archives name their members without a leading `./`. */
function topLevel(layout: Readonly<Record<string, string>>): readonly string[] {
  return [...new Set(Object.keys(layout).map((target) => target.split('/')[0] ?? target))].sort();
}
