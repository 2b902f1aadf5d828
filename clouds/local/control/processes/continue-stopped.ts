import { readFile } from 'node:fs/promises';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';

const LOOK_MS = 500;

/**
 * Continues a command inside a machine whenever it is stopped, until the returned function is called. `nsenter` stops
 * itself when its child is stopped (util-linux, continue_as_child), and a machine that shuts down stops all its
 * processes before it ends them (systemd-shutdown): nobody would continue nsenter, and its caller would wait forever. A
 * terminal that stops its commands also stops this process.
 */
export const continueWhenStopped = (pid: number | undefined): (() => void) =>
  pid === undefined ? () => undefined : continueAllWhenStopped(async () => [pid]);

/** The same for all commands of the moment. */
export function continueAllWhenStopped(pids: () => Promise<readonly number[]>): () => void {
  let hasEnded = false;
  const look = async (): Promise<void> => {
    for (const pid of await pids()) {
      if ((await isStopped(pid)) && !hasEnded) process.kill(pid, 'SIGCONT');
    }
  };
  const timer = setInterval(() => void look().catch(() => clearInterval(timer)), LOOK_MS).unref();
  return () => {
    hasEnded = true;
    clearInterval(timer);
  };
}

/** proc(5): the state is the first field after the name, which is in parentheses. */
async function isStopped(pid: number): Promise<boolean> {
  try {
    return (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.startsWith('T') === true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return false;
    throw error;
  }
}
