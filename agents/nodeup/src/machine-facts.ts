import { isSea } from 'node:sea';
import { execa } from 'execa';
import type { MachineFacts } from '@kopsctl/machine-facts/machine-facts.ts';
import { parseMachineFacts } from '@kopsctl/machine-facts/parse-machine-facts.ts';

/** Above the limit of a single fact, so that a hanging device costs only its own fact. */
const WITHIN_MS = 45_000;
const MAX_BYTES = 64 * 1024;

/**
 * Gathers the facts of this machine in a process of its own, `nodeup --machine-facts`: systeminformation runs some
 * programs synchronously (`hostname -f` waits for DNS), and the tasks of a boot must not wait for them. Undefined when
 * the signal aborts it.
 */
export async function machineFacts(signal: AbortSignal): Promise<MachineFacts | undefined> {
  // The program of a single executable is part of it; otherwise it is the first argument.
  const program = isSea() ? [] : process.argv.slice(1, 2);
  const gathering = execa(process.execPath, [...program, '--machine-facts'], {
    argv0: 'nodeup',
    cancelSignal: signal,
    timeout: WITHIN_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_BYTES,
    stdin: 'ignore',
    stderr: 'ignore',
  });
  try {
    return parseMachineFacts(JSON.parse((await gathering).stdout));
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
