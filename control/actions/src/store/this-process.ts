import { readFile, readlink } from 'node:fs/promises';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { type SeenProcess, seeProcess } from '@kopsctl/machine-facts/see-process.ts';

/**
 * What tells this process from all others on any machine: the boot of the machine, the namespace that its number is from, the
 * number, and when it began (proc(5)). Undefined where that cannot be found out, as on macOS.
 */
export async function thisProcess(): Promise<string | undefined> {
  const [place, seen] = await Promise.all([numbersPlace(), seeProcess(process.pid)]);
  return place === undefined || seen.state !== 'runs' ? undefined : `${place}/${process.pid}/${seen.startTime}`;
}

/**
 * Whether a process, as `thisProcess` tells it, certainly no longer runs. False for those of other machines, other boots and
 * other containers: nobody here can see whether they run.
 */
export async function hasEnded(other: string): Promise<boolean> {
  const place = await numbersPlace();
  if (place === undefined || !other.startsWith(`${place}/`)) return false;
  const [text = '', beganAt] = other.slice(place.length + 1).split('/');
  const pid = /^[1-9]\d*$/.test(text) ? Number(text) : undefined;
  if (pid === undefined) return false;
  // Where /proc hides the processes of others (hidepid), a signal still tells that one is there.
  if (!isThere(pid)) return true;
  const seen = await seeProcess(pid).catch((): SeenProcess => ({ state: 'unseen' }));
  return seen.state === 'zombie' || (seen.state === 'runs' && seen.startTime !== beganAt);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return codeOf(thrown) !== 'ESRCH';
  }
}

/** `<boot id>/<inode of the namespace>`: within it, a number means one process at a time. */
async function numbersPlace(): Promise<string | undefined> {
  try {
    const [boot, namespace] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readlink('/proc/self/ns/pid'),
    ]);
    return `${boot.trim()}/${namespace.replaceAll(/\D/g, '')}`;
  } catch {
    return undefined;
  }
}
