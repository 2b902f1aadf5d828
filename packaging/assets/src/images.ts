import { chmod, cp, copyFile, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ActionableError, codeOf } from '@kopsctl/errors/actionable-error.ts';
import { execa } from 'execa';

import type { Resolution } from './apt-root.ts';
import { upstreamVersion } from './apt-root.ts';
import { packImage } from './image-archive.ts';
import type { ImageSpec } from './image-archive.ts';
import type { Arch, Kitchen, Recipe } from './recipe.ts';

/** The registry that Kubernetes 1.20 names in its own manifests. */
const REGISTRY = 'k8s.gcr.io';

/** The version of pause that kubelet 1.20 asks for when told nothing else. */
const PAUSE_VERSION = '3.2';

const TRIPLE: Readonly<Record<Arch, string>> = { amd64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };
const LOADER: Readonly<Record<Arch, string>> = {
  amd64: 'lib64/ld-linux-x86-64.so.2',
  arm64: 'lib/ld-linux-aarch64.so.1',
};

/** What iptables, conntrack and ipset load, and netbase for the names in /etc/protocols and /etc/services. */
const KUBE_PROXY_PACKAGES = [
  'iptables',
  'conntrack',
  'ipset',
  'netbase',
  'libc6',
  'libip4tc2',
  'libip6tc2',
  'libxtables12',
  'libmnl0',
  'libnetfilter-conntrack3',
  'libnfnetlink0',
  'libnftnl11',
  'libipset13',
];
const BUSYBOX_PACKAGES = ['busybox', 'libc6'];

export const IMAGE_PACKAGES: readonly string[] = ['catatonit', ...KUBE_PROXY_PACKAGES, ...BUSYBOX_PACKAGES];

/** The recipes of the images that a cluster runs before it can pull anything. */
export function imageRecipes(
  resolution: Resolution,
  arch: Arch,
  kubernetesVersion: string,
  revision: string,
): readonly Recipe[] {
  const busyboxVersion = upstreamVersion(resolution.packages['busybox']?.file ?? '')
    .split('.')
    .slice(0, 2)
    .join('.');
  return [
    ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map((program) =>
      staticImage(program, arch, kubernetesVersion, revision),
    ),
    kubeProxyImage(arch, kubernetesVersion, revision),
    pauseImage(arch, revision),
    busyboxImage(arch, busyboxVersion, revision),
  ];
}

/** One static program at the path that manifests start it from. */
function staticImage(program: string, arch: Arch, version: string, revision: string): Recipe {
  return {
    thing: `image/${program}`,
    version,
    from: `the ${program} of kubernetes ${version}`,
    packages: [],
    needs: ['kubernetes'],
    revision,
    async make(kitchen) {
      const root = path.join(kitchen.scratch, 'root');
      await mkdir(path.join(root, 'usr/local/bin'), { recursive: true });
      await copyFile(path.join(kitchen.need('kubernetes').dir, program), path.join(root, 'usr/local/bin', program));
      return [await pack(kitchen, program, version, root, { reference: `${REGISTRY}/${program}:v${version}`, arch })];
    },
  };
}

/**
 * kube-proxy drives iptables, so the image holds it with all its extensions and what those load: without libm, for
 * one, xt_statistic is missing and only services with a single endpoint work.
 */
function kubeProxyImage(arch: Arch, version: string, revision: string): Recipe {
  return {
    thing: 'image/kube-proxy',
    version,
    from: `the kube-proxy of kubernetes ${version} and Debian's iptables, conntrack, ipset`,
    packages: KUBE_PROXY_PACKAGES,
    needs: ['kubernetes'],
    revision,
    async make(kitchen) {
      const root = path.join(kitchen.scratch, 'root');
      const unpacked = path.join(kitchen.scratch, 'unpacked');
      await kitchen.apt.unpack(KUBE_PROXY_PACKAGES, unpacked);
      await layLibraries(unpacked, root, arch);
      const triple = TRIPLE[arch];
      await copyInto(path.join(unpacked, 'usr/lib', triple, 'xtables'), path.join(root, 'usr/lib', triple, 'xtables'));
      await mkdir(path.join(root, 'usr/sbin'), { recursive: true });
      for (const program of ['xtables-nft-multi', 'xtables-legacy-multi', 'conntrack', 'ipset']) {
        await copyFile(path.join(unpacked, 'usr/sbin', program), path.join(root, 'usr/sbin', program));
      }
      // The rules must be of the same kind as the kubelet's on the host; Debian's default is nft.
      for (const name of ['iptables', 'ip6tables'].flatMap((name) => [name, `${name}-save`, `${name}-restore`])) {
        await symlink('xtables-nft-multi', path.join(root, 'usr/sbin', name));
        await symlink('xtables-legacy-multi', path.join(root, 'usr/sbin', name.replace('tables', 'tables-legacy')));
      }
      await mkdir(path.join(root, 'etc'), { recursive: true });
      for (const file of ['protocols', 'services', 'ethertypes']) {
        await copyFile(path.join(unpacked, 'etc', file), path.join(root, 'etc', file));
      }
      await writeFile(path.join(root, 'etc/nsswitch.conf'), 'hosts: files dns\n');
      await mkdir(path.join(root, 'usr/local/bin'), { recursive: true });
      await mkdir(path.join(root, 'run'), { recursive: true });
      await mkdir(path.join(root, 'tmp'), { recursive: true });
      await checkLibraries(root, arch);
      await copyFile(
        path.join(kitchen.need('kubernetes').dir, 'kube-proxy'),
        path.join(root, 'usr/local/bin/kube-proxy'),
      );
      return [
        await pack(kitchen, 'kube-proxy', version, root, { reference: `${REGISTRY}/kube-proxy:v${version}`, arch }),
      ];
    },
  };
}

/** The process that holds a pod's namespaces. Debian's catatonit has a mode for just that, and is static. */
function pauseImage(arch: Arch, revision: string): Recipe {
  return {
    thing: 'image/pause',
    version: PAUSE_VERSION,
    from: "Debian's catatonit",
    packages: ['catatonit'],
    revision,
    async make(kitchen) {
      const root = path.join(kitchen.scratch, 'root');
      const unpacked = path.join(kitchen.scratch, 'unpacked');
      await kitchen.apt.unpack(['catatonit'], unpacked);
      await mkdir(root);
      await copyFile(path.join(unpacked, 'usr/bin/catatonit'), path.join(root, 'pause'));
      const reference = `${REGISTRY}/pause:${PAUSE_VERSION}`;
      return [await pack(kitchen, 'pause', PAUSE_VERSION, root, { reference, arch, entrypoint: ['/pause', '-P'] })];
    },
  };
}

/** Dynamic on purpose: a static glibc crashes when it looks up a name (wget, nslookup) without its libraries at hand. */
function busyboxImage(arch: Arch, version: string, revision: string): Recipe {
  return {
    thing: 'image/busybox',
    version,
    from: "Debian's busybox",
    packages: BUSYBOX_PACKAGES,
    revision,
    async make(kitchen) {
      const root = path.join(kitchen.scratch, 'root');
      const unpacked = path.join(kitchen.scratch, 'unpacked');
      await kitchen.apt.unpack(BUSYBOX_PACKAGES, unpacked);
      await layLibraries(unpacked, root, arch);
      await mkdir(path.join(root, 'bin'));
      const busybox = path.join(root, 'bin/busybox');
      await copyFile(path.join(unpacked, 'bin/busybox'), busybox);
      await checkLibraries(root, arch);
      const { stdout } = await execa(busybox, ['--list']);
      for (const applet of stdout.split('\n').filter((name) => name !== '' && name !== 'busybox')) {
        await symlink('busybox', path.join(root, 'bin', applet));
      }
      for (const folder of ['etc', 'root', 'tmp', 'var/www']) await mkdir(path.join(root, folder), { recursive: true });
      await writeFile(
        path.join(root, 'etc/passwd'),
        'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n',
      );
      await writeFile(path.join(root, 'etc/group'), 'root:x:0:\nnogroup:x:65534:\n');
      await writeFile(path.join(root, 'etc/nsswitch.conf'), 'hosts: files dns\n');
      return [
        await pack(kitchen, 'busybox', version, root, { reference: `busybox:${version}`, arch, command: ['sh'] }),
      ];
    },
  };
}

async function pack(kitchen: Kitchen, name: string, version: string, root: string, spec: ImageSpec) {
  const file = `${name}-v${version}-linux-${kitchen.arch}.tar`;
  await packImage(spec, root, path.join(kitchen.dir, file), kitchen.scratch);
  return { name: `image/${name}`, version, file, image: spec.reference };
}

/** Every shared library of the unpacked packages at the place where the loader looks, and the loader itself. */
async function layLibraries(unpacked: string, root: string, arch: Arch): Promise<void> {
  const target = path.join(root, 'lib', TRIPLE[arch]);
  await mkdir(target, { recursive: true });
  for (const folder of ['lib', 'usr/lib']) {
    const source = path.join(unpacked, folder, TRIPLE[arch]);
    for (const name of await readdirIfThere(source)) {
      if (name.includes('.so') && !UNUSED_LIBRARIES.test(name)) {
        await cp(path.join(source, name), path.join(target, name), { verbatimSymlinks: true });
      }
    }
  }
  const loader = path.join(root, LOADER[arch]);
  await mkdir(path.dirname(loader), { recursive: true });
  await symlink(path.relative(path.dirname(loader), path.join(target, path.basename(loader))), loader);
}

/** Parts of the C library that are for debugging, or that nothing in an image loads. */
const UNUSED_LIBRARIES =
  /^lib(BrokenLocale|anl|c_malloc_debug|memusage|mvec|nsl|nss_compat|nss_hesiod|pcprofile|thread_db)\./;

/** Asks the image's own loader whether every program and library in it finds what it needs in the image alone. */
async function checkLibraries(root: string, arch: Arch): Promise<void> {
  const libraries = path.join(root, 'lib', TRIPLE[arch]);
  const loader = path.join(libraries, path.basename(LOADER[arch]));
  await chmod(loader, 0o755);
  for (const folder of ['bin', 'usr/sbin', `usr/lib/${TRIPLE[arch]}/xtables`]) {
    for (const name of await readdirIfThere(path.join(root, folder))) {
      const { stdout } = await execa(
        loader,
        ['--inhibit-cache', '--library-path', libraries, '--list', path.join(root, folder, name)],
        {
          reject: false,
          all: true,
        },
      );
      // Debian's own libraries would be found too, were the path not the image's: both are faults of the image.
      const outside = stdout.split('\n').filter((line) => line.includes('=>') && !line.includes(root));
      if (outside.length > 0) {
        throw new ActionableError({
          what: `pack an image with ${folder}/${name}`,
          why: `the image lacks ${outside.map((line) => line.trim().split(' ')[0] ?? '').join(', ')}`,
          next: "add the package that holds it to the image's packages in packaging/assets/src/images.ts",
        });
      }
    }
  }
}

async function copyInto(source: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  await cp(source, target, { recursive: true, verbatimSymlinks: true });
}

async function readdirIfThere(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
