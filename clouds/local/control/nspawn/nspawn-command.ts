import { basename, dirname, join, relative } from 'node:path';
import { shellWord, shellWords } from '@kopsctl/node-plan/shell-word.ts';
import type { CgroupMount, MachineGroups } from './cgroups.ts';
import { ASSETS_IN_MACHINE, type MachineStart } from '../machines/machine-driver.ts';

/**
 * Capabilities that machines do not get, because they give access to the host's clock, kernel modules, I/O ports and
 * security policy.
 */
export const DROPPED_CAPABILITIES = [
  'sys_time',
  'sys_module',
  'sys_rawio',
  'mac_admin',
  'mac_override',
  'wake_alarm',
  'block_suspend',
] as const;

/** The exit status of nspawn when the machine requested a reboot (with --keep-unit). */
export const EXIT_REBOOT = 133;

/** Folders of a machine that must be on a real file system, because of image layers and volumes of pods. */
export const DATA_FOLDERS = ['containerd', 'kubelet', 'docker'] as const;

/**
 * The command that runs a machine. A process in the cgroups of the keeper creates a mount and a PID namespace. In them
 * a process joins the cgroups of the machine, makes them the root of the cgroup tree, mounts the root of the machine
 * and becomes systemd-nspawn. When the first process ends, the kernel ends all of them; killing nspawn alone would
 * leave the container running.
 */
export function nspawnCommand(
  machine: MachineStart,
  mounts: readonly CgroupMount[],
  groups: MachineGroups,
): readonly string[] {
  const inside = ['set -eu', ...remountCgroups(mounts), mountRoot(machine), `exec ${shellWords(nspawnArgv(machine))}`];
  const join = ['set -eu', ...enter(groups.machine), `exec unshare --cgroup -- sh -c ${shellWord(inside.join('\n'))}`];
  const outer = [
    'set -eu',
    ...enter(groups.keeper),
    `exec unshare --mount --pid --fork --kill-child=SIGKILL -- sh -c ${shellWord(join.join('\n'))}`,
  ];
  return ['sh', '-c', outer.join('\n')];
}

function enter(groups: readonly string[]): readonly string[] {
  return groups.map((group) => `echo 0 > ${shellWord(join(group, 'cgroup.procs'))}`);
}

/** Mounts every hierarchy again, so that the group of this process is its root. */
function remountCgroups(mounts: readonly CgroupMount[]): readonly string[] {
  const lines = ['mount -t proc proc /proc', 'umount -R /sys/fs/cgroup'];
  const pure = mounts.length === 1 && mounts[0]?.version === 2;
  if (pure) return [...lines, 'mount -t cgroup2 cgroup2 /sys/fs/cgroup'];
  lines.push('mount -t tmpfs -o mode=0755 tmpfs /sys/fs/cgroup');
  for (const { path, version, options } of mounts) {
    const at = shellWord(path);
    lines.push(`mkdir -p ${at}`);
    lines.push(
      version === 2 ? `mount -t cgroup2 cgroup2 ${at}` : `mount -t cgroup -o ${shellWord(options)} cgroup ${at}`,
    );
    // Controllers that share a hierarchy (cpu,cpuacct) also need a path of their own.
    const names = basename(path).split(',');
    if (names.length > 1)
      lines.push(...names.map((name) => `ln -s ${shellWord(basename(path))} ${shellWord(join(dirname(path), name))}`));
  }
  return lines;
}

function mountRoot({ layers, paths }: MachineStart): string {
  const options = `lowerdir=${layers.join(':')},upperdir=${paths.upper},workdir=${paths.work}`;
  return `mount -t overlay overlay -o ${shellWord(options)} ${shellWord(paths.mountPoint)}`;
}

function nspawnArgv({ record, paths, networkNamespace, assetsDir }: MachineStart): readonly string[] {
  return [
    'env',
    // Sysctls of the network are per namespace, and kube-proxy writes them; `yes` would make all of /proc/sys writable.
    'SYSTEMD_NSPAWN_API_VFS_WRITABLE=network',
    'TERM=dumb',
    'systemd-nspawn',
    '--register=no',
    '--keep-unit',
    '--quiet',
    '--boot',
    `--directory=${paths.mountPoint}`,
    `--machine=${record.name}`,
    `--hostname=${record.nodeName}`,
    `--network-namespace-path=${networkNamespace}`,
    '--resolv-conf=off',
    '--link-journal=no',
    '--timezone=off',
    '--capability=all',
    `--drop-capability=${DROPPED_CAPABILITIES.map((name) => `CAP_${name.toUpperCase()}`).join(',')}`,
    // runc creates a session keyring per container and, on cgroup v2, loads device filters with bpf.
    '--system-call-filter=@keyring',
    '--system-call-filter=bpf',
    // kubelet reads the kernel log; it does not need the host's.
    '--bind=/dev/null:/dev/kmsg',
    ...DATA_FOLDERS.map((name) => `--bind=${join(paths.data, name)}:/var/lib/${name}`),
    ...(assetsDir === undefined ? [] : [`--bind-ro=${assetsDir}:${ASSETS_IN_MACHINE}`]),
  ];
}

/** The cgroup.procs files of the cgroups of a process, so that a command in a machine is accounted to the machine. */
export function groupsOfProcess(procCgroup: string, mounts: readonly CgroupMount[]): readonly string[] {
  return procCgroup.split('\n').flatMap((line) => {
    const [id, controllers = '', ...rest] = line.split(':');
    const path = rest.join(':');
    if (path === '' || path.startsWith('/..')) return [];
    const mount = mounts.find((candidate) =>
      id === '0'
        ? candidate.version === 2
        : candidate.version === 1 && candidate.options.replace(/^none,/, '') === controllers,
    );
    return mount === undefined ? [] : [join(mount.path, relative('/', path))];
  });
}
