import { open } from 'node:fs/promises';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { writeAtomically } from '@kopsctl/agent/write-file.ts';
import { readHosts } from './hosts-file.ts';

/**
 * Keeps the copy of /etc/hosts that pods in the machine's network have mounted. A mount holds on to the file that it
 * was made of, so what replaces /etc/hosts in one moment (ours does, editors do) never reaches them, and the copy that
 * kubelet gives a pod is as old as the pod. This one is written over: by one call, and never shorter before it is
 * complete, so that a reader finds all lines of the one text or of the other. After a crash it is made anew.
 */
export async function copyForPods(hostsPath: string, copyPath: string): Promise<void> {
  const text = await readHosts(hostsPath);
  if ((await readHosts(copyPath)) === text) return;
  try {
    await using file = await open(copyPath, 'r+');
    const bytes = Buffer.from(text);
    const padded = Buffer.alloc(Math.max(bytes.length, (await file.stat()).size), '\n');
    bytes.copy(padded);
    await file.write(padded, 0, padded.length, 0);
    await file.truncate(bytes.length);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    await writeAtomically(copyPath, text, 0o644);
  }
}
