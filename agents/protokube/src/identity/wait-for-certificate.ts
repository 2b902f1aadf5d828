import { watch } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Wake } from '@kopsctl/agent/wake.ts';
import { inspectCertificate } from '@kopsctl/pki/inspect.ts';

/** The file is looked at now and then, in case an event is lost. */
const LOOK_AGAIN_MS = 5_000;

/**
 * Waits until kubelet has a certificate that is valid, as its ExecStartPre: a kubelet without one gives up, and is
 * started again and again. A machine that has joined does not wait. Resolves with the exit code.
 */
export async function waitForCertificate(path: string): Promise<number> {
  const ended = new AbortController();
  process.once('SIGTERM', () => ended.abort());
  const changed = new Wake();
  await mkdir(dirname(path), { recursive: true });
  const watcher = watch(dirname(path), () => changed.ring());
  try {
    while (!ended.signal.aborted) {
      if (await isValid(path)) return 0;
      await changed.wait(LOOK_AGAIN_MS, ended.signal);
    }
  } catch (error) {
    if (!ended.signal.aborted) throw error;
  } finally {
    watcher.close();
  }
  return 1;
}

async function isValid(path: string): Promise<boolean> {
  try {
    return inspectCertificate(await readFile(path, 'utf8')).notAfterMs > Date.now();
  } catch {
    return false; // There is none yet, or half of one.
  }
}
