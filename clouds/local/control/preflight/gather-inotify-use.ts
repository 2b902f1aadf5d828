import { readFile, readdir, readlink } from 'node:fs/promises';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { type InotifyUse, machineOfProcess } from './inotify.ts';

export const INOTIFY_LIMIT_FILE = '/proc/sys/fs/inotify/max_user_instances';

/**
 * Counts the inotify instances of root by the links in /proc/<pid>/fd. A descriptor that a process shares with its child
 * counts twice, which errs on the safe side; processes of other containers on the same kernel cannot be seen.
 */
export async function gatherInotifyUse(cluster: string): Promise<InotifyUse> {
  const limit = Number(await readFile(INOTIFY_LIMIT_FILE, 'utf8'));
  const machines = new Map<string, number>();
  let others = 0;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const count = await unlessHidden(0, () => instancesOf(pid));
    if (count === 0) continue;
    const machine = machineOfProcess(await unlessHidden('', () => readFile(`/proc/${pid}/cgroup`, 'utf8')), cluster);
    if (machine === undefined) others += count;
    else machines.set(machine, (machines.get(machine) ?? 0) + count);
  }
  return { limit, machines, others };
}

async function instancesOf(pid: string): Promise<number> {
  // The kernel counts instances by the real user: the first number of this line.
  if (!/^Uid:\t0\t/m.test(await readFile(`/proc/${pid}/status`, 'utf8'))) return 0;
  const folder = `/proc/${pid}/fd`;
  const links = await Promise.all(
    (await readdir(folder)).map((fd) => unlessHidden('', () => readlink(`${folder}/${fd}`))),
  );
  return links.filter((link) => link === 'anon_inode:inotify').length;
}

/**
 * A process or its descriptor may end while it is looked at. A container may lack CAP_SYS_PTRACE, so that some processes
 * cannot be looked into: what they use is unknown, and is not a reason to refuse.
 */
async function unlessHidden<T>(otherwise: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES'].includes(codeOf(error) ?? '')) return otherwise;
    throw error;
  }
}
