import { chmod, copyFile, cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { execa } from 'execa';

import { KUBERNETES_REGISTRY } from '@kopsctl/spec/kubernetes-images.ts';

import { minorOf } from '@kopsctl/spec/minor-version.ts';
import { archiveName } from './from-registry.ts';
import type { PublishedImage } from './from-registry.ts';
import { packImage } from './image-archive.ts';
import type { ImageSpec } from './image-archive.ts';
import { pulledImageRows } from './pulled-images.ts';
import type { Arch, Kitchen, Recipe } from './recipe.ts';

const TRIPLE: Readonly<Record<Arch, string>> = { amd64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };
const LOADER: Readonly<Record<Arch, string>> = {
  amd64: 'lib64/ld-linux-x86-64.so.2',
  arm64: 'lib/ld-linux-aarch64.so.1',
};

/** What iptables, conntrack and ipset load, and netbase for the names in /etc/protocols and /etc/services. */
const IPTABLES_PACKAGES = [
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
const LIBC_PACKAGES = ['libc6'];

/** An image as its project publishes it, and how one is made here where its registry cannot be reached. */
export interface ImageRow {
  readonly published: PublishedImage;
  readonly packed?: Recipe;
  /** Why there is no recipe. */
  readonly whyNotMade?: string;
}

/** The version that a registry is asked for, and the one that is made here where it cannot be had. */
export interface ImageVersions {
  readonly release: string;
  readonly module: string;
}

/** An image around one program. */
interface ProgramImage {
  /** Its name in the index, after `image/`. */
  readonly name: string;
  /** The recipe's name where it is not the index's: several versions live side by side. */
  readonly thing?: string;
  /** The row of programs.ts that it packs. */
  readonly programs: string;
  readonly program: string;
  /** Where manifests start it from; none for an entry point that is all there is. */
  readonly at: string;
  readonly reference: (version: string) => string;
  readonly entrypoint?: readonly string[];
  /** A user that is not root, as uid or uid:gid. */
  readonly user?: string;
  /** Programs of busybox in /bin that manifests start in it. */
  readonly tools?: readonly string[];
}

const coredns = (minor: string): ProgramImage => ({
  name: 'coredns',
  thing: `image/coredns-${minor}`,
  programs: `programs/coredns-${minor}`,
  program: 'coredns',
  at: '/coredns',
  reference: (version) => `registry.k8s.io/coredns/coredns:v${version}`,
  entrypoint: ['/coredns'],
});

/** Images by the names that their projects publish them under. To add one is to add a row. */
const PROGRAM_IMAGES: readonly ProgramImage[] = [
  {
    name: 'pause',
    programs: 'programs/pause',
    program: 'pause',
    at: '/pause',
    reference: (version) => `registry.k8s.io/pause:${version}`,
    entrypoint: ['/pause'],
    user: '65535:65535',
  },
  coredns('1.10'),
  coredns('1.15'),
  {
    name: 'metrics-server',
    programs: 'programs/metrics-server',
    program: 'metrics-server',
    at: '/metrics-server',
    reference: (version) => `registry.k8s.io/metrics-server/metrics-server:v${version}`,
    entrypoint: ['/metrics-server'],
    user: '65534',
  },
  {
    name: 'local-path-provisioner',
    programs: 'programs/local-path-provisioner',
    program: 'local-path-provisioner',
    at: '/usr/bin/local-path-provisioner',
    reference: (version) => `docker.io/rancher/local-path-provisioner:v${version}`,
    entrypoint: ['local-path-provisioner'],
  },
  {
    name: 'snapshot-controller',
    programs: 'programs/snapshot-controller',
    program: 'snapshot-controller',
    at: '/snapshot-controller',
    reference: (version) => `registry.k8s.io/sig-storage/snapshot-controller:v${version}`,
    entrypoint: ['/snapshot-controller'],
    user: '65532',
  },
];

const FLANNEL: ProgramImage = {
  name: 'flannel',
  programs: 'programs/flannel',
  program: 'flanneld',
  at: '/opt/bin/flanneld',
  reference: (version) => `ghcr.io/flannel-io/flannel:v${version}`,
  entrypoint: ['/opt/bin/flanneld'],
  tools: ['cp'],
};

/** Copied to a machine's plugins by flannel's first init container. */
const FLANNEL_PLUGIN: ProgramImage = {
  name: 'flannel-cni-plugin',
  programs: 'programs/flannel-cni-plugin',
  program: 'flannel',
  at: '/flannel',
  reference: (version) => `ghcr.io/flannel-io/flannel-cni-plugin:v${version}`,
  tools: ['cp'],
};

const STATIC_COMPONENTS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;

/** The images of one version of Kubernetes. */
export function kubernetesImages(kubernetesVersion: string, arch: Arch, revision: string): readonly ImageRow[] {
  const minor = minorOf(kubernetesVersion);
  const programs = `kubernetes-${minor}`;
  const component = (name: string): ProgramImage => ({
    name,
    programs,
    program: name,
    at: `/usr/local/bin/${name}`,
    reference: (version) => `${KUBERNETES_REGISTRY}/${name}:v${version}`,
  });
  const thing = (name: string): string => `image/${name}-${minor}`;
  const versions = { release: kubernetesVersion, module: kubernetesVersion };
  const rows = [
    ...STATIC_COMPONENTS.map((name) => staticImage(component(name), thing(name), versions, revision)),
    iptablesImage(component('kube-proxy'), thing('kube-proxy'), versions, arch, revision),
  ];
  return rows.map((row) => ({ ...row, published: { ...row.published, sameVersionAs: programs } }));
}

/** All other images. @param versionsOf the versions of a row of programs.ts */
export function imageRows(
  arch: Arch,
  versionsOf: (programs: string) => ImageVersions,
  revision: string,
): readonly ImageRow[] {
  return [
    ...PROGRAM_IMAGES.map((image) =>
      staticImage(image, image.thing ?? `image/${image.name}`, versionsOf(image.programs), revision),
    ),
    iptablesImage(FLANNEL, 'image/flannel', versionsOf(FLANNEL.programs), arch, revision),
    toolsImage(FLANNEL_PLUGIN, 'image/flannel-cni-plugin', versionsOf(FLANNEL_PLUGIN.programs), arch, revision),
    busyboxImage(arch, versionsOf('programs/busybox'), revision),
    ...pulledImageRows(),
  ];
}

function imageRow(
  { name, reference }: Pick<ProgramImage, 'name' | 'reference'>,
  version: string,
  packed: Recipe,
): ImageRow {
  return { published: { thing: packed.thing, name, version, reference: reference(version) }, packed };
}

function staticImage(
  image: ProgramImage,
  thing: string,
  { release, module }: ImageVersions,
  revision: string,
): ImageRow {
  return imageRow(image, release, {
    thing,
    version: module,
    from: image.programs,
    packages: [],
    needs: [image.programs],
    revision,
    async make(kitchen) {
      const root = path.join(kitchen.scratch, 'root');
      const { dir, version } = programsOf(kitchen, image.programs);
      const target = path.join(root, image.at);
      await mkdir(path.dirname(target), { recursive: true });
      await copyFile(path.join(dir, image.program), target);
      return [await packProgram(kitchen, image, version, root)];
    },
  });
}

/** An image around one program and some of busybox's. */
function toolsImage(
  image: ProgramImage,
  thing: string,
  { release, module }: ImageVersions,
  arch: Arch,
  revision: string,
): ImageRow {
  return imageRow(image, release, {
    thing,
    version: module,
    from: `${image.programs} and programs/busybox`,
    packages: LIBC_PACKAGES,
    needs: [image.programs, 'programs/busybox'],
    revision,
    async make(kitchen) {
      const root = path.join(kitchen.scratch, 'root');
      const unpacked = path.join(kitchen.scratch, 'unpacked');
      await kitchen.apt.unpack(LIBC_PACKAGES, unpacked);
      await layLibraries(unpacked, root, arch);
      await layTools(kitchen, image, root);
      const { dir, version } = programsOf(kitchen, image.programs);
      await copyFile(path.join(dir, image.program), path.join(root, image.at));
      return [await packProgram(kitchen, image, version, root)];
    },
  });
}

async function layTools(kitchen: Kitchen, { tools = [] }: ProgramImage, root: string): Promise<void> {
  if (tools.length === 0) return;
  await mkdir(path.join(root, 'bin'), { recursive: true });
  await copyFile(path.join(programsOf(kitchen, 'programs/busybox').dir, 'busybox'), path.join(root, 'bin/busybox'));
  for (const tool of tools) await symlink('busybox', path.join(root, 'bin', tool));
}

function packProgram(kitchen: Kitchen, image: ProgramImage, version: string, root: string) {
  return pack(kitchen, image.name, version, root, {
    reference: image.reference(version),
    arch: kitchen.arch,
    ...(image.entrypoint === undefined ? {} : { entrypoint: image.entrypoint }),
    ...(image.user === undefined ? {} : { user: image.user }),
  });
}

/** The folder of programs that another recipe made, and their true version. */
function programsOf(kitchen: Kitchen, thing: string): { readonly dir: string; readonly version: string } {
  const { dir, files } = kitchen.need(thing);
  return { dir, version: files[0]?.version ?? '' };
}

/**
 * A program that drives iptables: the image holds it with all its extensions and what those load. Without libm, for one,
 * xt_statistic is missing and only services with a single endpoint work.
 */
function iptablesImage(
  image: ProgramImage,
  thing: string,
  { release, module }: ImageVersions,
  arch: Arch,
  revision: string,
): ImageRow {
  return imageRow(image, release, {
    thing,
    version: module,
    from: `${image.programs} and Debian's iptables, conntrack, ipset`,
    packages: IPTABLES_PACKAGES,
    needs: [image.programs, ...(image.tools === undefined ? [] : ['programs/busybox'])],
    revision,
    async make(kitchen) {
      const root = path.join(kitchen.scratch, 'root');
      const unpacked = path.join(kitchen.scratch, 'unpacked');
      await kitchen.apt.unpack(IPTABLES_PACKAGES, unpacked);
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
      await mkdir(path.join(root, 'run'), { recursive: true });
      await mkdir(path.join(root, 'tmp'), { recursive: true });
      await layTools(kitchen, image, root);
      await checkLibraries(root, arch);
      const { dir, version } = programsOf(kitchen, image.programs);
      const target = path.join(root, image.at);
      await mkdir(path.dirname(target), { recursive: true });
      await copyFile(path.join(dir, image.program), target);
      return [await packProgram(kitchen, image, version, root)];
    },
  });
}

/** Dynamic on purpose: a static glibc crashes when it looks up a name (wget, nslookup) without its libraries at hand. */
function busyboxImage(arch: Arch, { release, module }: ImageVersions, revision: string): ImageRow {
  const image = { name: 'busybox', reference: (version: string) => `busybox:${version}` };
  return imageRow(image, release, {
    thing: 'image/busybox',
    version: module,
    from: "programs/busybox and Debian's C library",
    packages: LIBC_PACKAGES,
    needs: ['programs/busybox'],
    revision,
    async make(kitchen) {
      const root = path.join(kitchen.scratch, 'root');
      const unpacked = path.join(kitchen.scratch, 'unpacked');
      await kitchen.apt.unpack(LIBC_PACKAGES, unpacked);
      await layLibraries(unpacked, root, arch);
      await mkdir(path.join(root, 'bin'));
      const busybox = path.join(root, 'bin/busybox');
      const { dir, version } = programsOf(kitchen, 'programs/busybox');
      await copyFile(path.join(dir, 'busybox'), busybox);
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
        await pack(kitchen, 'busybox', version, root, { reference: image.reference(version), arch, command: ['sh'] }),
      ];
    },
  });
}

async function pack(kitchen: Kitchen, name: string, version: string, root: string, spec: ImageSpec) {
  const file = archiveName(name, version, kitchen.arch);
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
  return ((await ifThere(readdir(folder))) ?? []).toSorted();
}
