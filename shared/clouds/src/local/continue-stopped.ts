import { readFile } from 'node:fs/promises';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';

const LOOK_MS = 500;

/**
 * Keeps a command inside a machine from staying stopped, until the result is called. `nsenter` stops itself when what it
 * runs was stopped (util-linux, continue_as_child), and a machine that goes down stops all its processes before it ends
 * them (systemd-shutdown): nobody would continue the nsenter, and its caller would wait for ever. A terminal that stops
 * its commands stops this process too.
 */
export function continueWhenStopped(pid: number | undefined): () => void {
  if (pid === undefined) return () => undefined;
  let hasEnded = false;
  const look = async (): Promise<void> => {
    if ((await isStopped(pid)) && !hasEnded) process.kill(pid, 'SIGCONT');
  };
  const timer = setInterval(() => void look().catch(() => clearInterval(timer)), LOOK_MS).unref();
  return () => {
    hasEnded = true;
    clearInterval(timer);
  };
}

/** proc(5): the state is the first field behind the name, which stands in parentheses. */
async function isStopped(pid: number): Promise<boolean> {
  try {
    return (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.startsWith('T') === true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return false;
    throw error;
  }
}
