import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { gatherMachineFacts } from '@kopsctl/machine-facts/gather-machine-facts.ts';
import { execa } from 'execa';
import { cgroupMounts } from '../nspawn/cgroups.ts';
import { DEFAULT_DIR } from '../records/cluster-paths.ts';
import { HOST_PACKAGES } from './host-packages.ts';
import { DEFAULT_IMAGE_CACHE } from '../image/image.ts';
import { gatherInotifyUse } from './gather-inotify-use.ts';
import { canRaiseInotifyLimit } from './inotify-limit.ts';
import type { WantedMachines } from './inotify.ts';
import { type DiskFacts, type HostFacts, preflightFaults } from './preflight-faults.ts';

export interface PreflightOptions {
  readonly dir?: string;
  readonly imageCache?: string;
  /** The cluster whose machines are to run; absent if it does not exist yet. */
  readonly cluster?: string;
  /** The machines that are to run; by default those of the smallest cluster. */
  readonly machines?: WantedMachines;
  /** Whether the host packages must already be installed; otherwise they will be. */
  readonly packages?: boolean;
}

const SMALLEST_CLUSTER: WantedMachines = new Map([
  ['control-plane-1', 'ControlPlane'],
  ['nodes-1', 'Node'],
]);

/**
 * Checks whether this host can run local machines. Changes nothing: features are tested in temporary namespaces.
 *
 * @throws ActionableError that lists all faults
 */
export async function preflight(options: PreflightOptions = {}): Promise<void> {
  const { dir = DEFAULT_DIR, imageCache = DEFAULT_IMAGE_CACHE, cluster = '', packages = false } = options;
  const { machines = SMALLEST_CLUSTER } = options;
  const faults = preflightFaults(await gatherHostFacts(cluster, [dir, imageCache]), { machines, packages });
  if (faults.length === 0) return;
  throw new ActionableError({
    what: 'run local machines on this host',
    why: faults.length === 1 ? (faults[0] ?? '') : `\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    next: faults.length === 1 ? 'fix this, then run the command again' : 'fix all of these, then run the command again',
  });
}

async function gatherHostFacts(cluster: string, folders: readonly string[]): Promise<HostFacts> {
  const isRoot = process.getuid?.() === 0;
  const isLinux = process.platform === 'linux';
  if (!isLinux || !isRoot) return { ...NOTHING_KNOWN, platform: process.platform, isRoot };
  const missingPrograms = await missing(HOST_PACKAGES.flatMap(({ programs }) => programs));
  return {
    platform: process.platform,
    isRoot,
    missingPrograms,
    brokenFeatures: await brokenFeatures(new Set(missingPrograms)),
    cgroups: await cgroupMounts(),
    inotify: { ...(await gatherInotifyUse(cluster)), canRaise: await canRaiseInotifyLimit() },
    memoryBytes: (await gatherMachineFacts(['memory'])).memory?.totalBytes,
    disks: await Promise.all(folders.map(diskFacts)),
  };
}

const NOTHING_KNOWN: HostFacts = {
  platform: '',
  isRoot: false,
  missingPrograms: [],
  brokenFeatures: {},
  cgroups: [],
  inotify: { limit: 0, machines: new Map(), others: 0, canRaise: false },
  memoryBytes: undefined,
  disks: [],
};

/** A test for each feature, in temporary namespaces. It is skipped if a program in `needs` is missing. */
const TRIALS: readonly {
  readonly feature: string;
  readonly needs: readonly string[];
  readonly argv: readonly string[];
}[] = [
  {
    feature: 'overlay file systems',
    needs: ['unshare', 'mount'],
    argv: [
      'unshare',
      '--mount',
      'sh',
      '-euc',
      'mount -t tmpfs tmpfs /mnt; mkdir /mnt/lower /mnt/upper /mnt/work /mnt/root; ' +
        'mount -t overlay overlay -o lowerdir=/mnt/lower,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root',
    ],
  },
  {
    feature: 'bridges and virtual Ethernet pairs',
    needs: ['unshare', 'ip'],
    argv: ['unshare', '--net', 'sh', '-euc', 'ip link add br0 type bridge; ip link add eth0 type veth peer name eth1'],
  },
  {
    feature: 'PID, IPC, UTS and cgroup namespaces',
    needs: ['unshare'],
    argv: ['unshare', '--mount', '--pid', '--ipc', '--uts', '--cgroup', '--fork', '--mount-proc', 'true'],
  },
  { feature: 'loop devices', needs: ['losetup'], argv: ['losetup', '--find'] },
];

async function brokenFeatures(missingPrograms: ReadonlySet<string>): Promise<Record<string, string>> {
  const broken: Record<string, string> = {};
  for (const { feature, needs, argv } of TRIALS) {
    if (needs.some((program) => missingPrograms.has(program))) continue;
    const [command = '', ...args] = argv;
    const { exitCode, stderr } = await execa(command, args, { reject: false, stdin: 'ignore' });
    if (exitCode !== 0) broken[feature] = stderr.trim().split('\n').at(-1) ?? `status ${exitCode}`;
  }
  return broken;
}

async function missing(programs: readonly string[]): Promise<readonly string[]> {
  // With plain `su`, the PATH lacks these folders although the programs exist.
  const folders = new Set([...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin']);
  const found = await Promise.all(
    programs.map(async (program) => {
      const tries = [...folders].map((folder) => access(join(folder, program), constants.X_OK));
      return (await Promise.allSettled(tries)).some(({ status }) => status === 'fulfilled');
    }),
  );
  return programs.filter((_, index) => found[index] !== true);
}

/** statfs(2) f_type of overlayfs. */
const OVERLAYFS_MAGIC = 0x794c7630;

async function diskFacts(folder: string): Promise<DiskFacts> {
  const { bavail, bsize, type } = await statfs(await nearestFolder(folder));
  return { folder, freeBytes: bavail * bsize, isOverlay: type === OVERLAYFS_MAGIC };
}

async function nearestFolder(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    const isThere = await access(at).then(
      () => true,
      () => false,
    );
    if (isThere || at === dirname(at)) return at;
  }
}
