import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { layerFolder } from './layer-folder.ts';
import { writeLayerFiles } from './layer-files.ts';
import { LOCAL_LAYER_FILES, LOCAL_LAYER_LINKS } from './local-layer.ts';
import { run } from '../processes/run.ts';

export const DEFAULT_IMAGE_CACHE = '/var/cache/kopsctl/images';

const SUITE = 'bookworm';

/**
 * What a plain Debian server image contains, and the programs that kubelet and kube-proxy call. nodeup installs the
 * container runtime.
 */
const PACKAGES = [
  'systemd,systemd-sysv,dbus,cloud-init,kmod,procps,util-linux,mount,e2fsprogs,xfsprogs',
  'iproute2,iputils-ping,iptables,nftables,ipset,conntrack,ebtables,ethtool,socat',
  'ca-certificates,curl,openssl,xz-utils,zstd,libseccomp2,jq,less',
]
  .join(',')
  .split(',');

const LEFT_OUT = ['/usr/share/man/*', '/usr/share/doc/*', '/usr/share/locale/*', '/usr/share/info/*'];

/**
 * Returns the read-only layers of a machine's root, top first, and creates those that are not in the cache. The folder
 * of a layer is named by the hash of its inputs, and appears only when it is complete.
 *
 * @param say is told why the first time takes longer
 */
export async function ensureImage(
  cache: string,
  say: (line: string) => void,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const base = await layerFolder(
    cache,
    'base',
    { suite: SUITE, packages: PACKAGES, leftOut: LEFT_OUT },
    async (draft) => {
      say('building the base image of local machines from Debian packages (once, 1 to 2 minutes)');
      await makeBase(draft, signal);
    },
  );
  const local = await layerFolder(cache, 'local', { files: LOCAL_LAYER_FILES, links: LOCAL_LAYER_LINKS }, (draft) =>
    writeLayerFiles(draft, LOCAL_LAYER_FILES, LOCAL_LAYER_LINKS),
  );
  return [local, base];
}

async function makeBase(draft: string, signal: AbortSignal | undefined): Promise<void> {
  const args = [
    '--mode=root',
    '--variant=minbase',
    '--format=directory',
    `--include=${PACKAGES.join(',')}`,
    ...LEFT_OUT.map((path) => `--dpkgopt=path-exclude=${path}`),
    ...(await proxyOptions()),
    // Machines have no uplink, so package sources are of no use; the other files differ between machines.
    '--customize-hook=: > "$1/etc/apt/sources.list"',
    '--customize-hook=cd "$1" && rm -f etc/machine-id etc/hostname etc/resolv.conf var/lib/dbus/machine-id',
  ];
  const input = await debianSources();
  await run('make the base image of local machines', 'mmdebstrap', [...args, SUITE, draft, '-'], { input, signal });
}

/**
 * The Debian mirrors in this host's apt configuration, as lines of sources.list for our release. Other sources are left
 * out: the image contains only Debian.
 */
async function debianSources(): Promise<string> {
  const what = 'find a Debian mirror for the base image of local machines';
  const format = '$(ORIGIN) $(CODENAME) $(REPO_URI)';
  const targets = await run(what, 'apt-get', ['indextargets', '--format', format, 'Created-By: Packages']);
  const lines = new Set<string>();
  for (const target of targets.split('\n')) {
    const [origin, codename = '', uri] = target.split(' ');
    const pocket = /^[a-z]+(|-updates|-security)$/.exec(codename)?.[1];
    if (origin === 'Debian' && pocket !== undefined) lines.add(`deb ${uri} ${SUITE}${pocket} main`);
  }
  if (lines.size > 0) return `${[...lines].sort().join('\n')}\n`;
  throw new ActionableError({
    what,
    why: "this host's apt knows none (`apt-get indextargets` lists no source of origin Debian)",
    next: 'add a Debian source to /etc/apt/sources.list.d and run `apt-get update`, then run the command again',
  });
}

/** mmdebstrap does not read the host's apt.conf, and the mirror may only be reachable through the proxy set there. */
async function proxyOptions(): Promise<readonly string[]> {
  const settings = await run("read apt's settings", 'apt-config', ['dump', '--format', '%f "%v";%n']);
  return settings
    .split('\n')
    .filter((line) => /^Acquire::https?::proxy /i.test(line))
    .map((line) => `--aptopt=${line}`);
}
