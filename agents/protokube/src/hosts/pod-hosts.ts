import { open } from 'node:fs/promises';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import { readHosts } from './hosts-file.ts';

/**
 * Keeps a copy of /etc/hosts for pods with host network, which mount it. A bind mount keeps showing the inode it was
 * made from, so pods never see a file that replaces /etc/hosts (protokube and editors replace it), and the copy that
 * kubelet gives a pod is never updated. This copy is overwritten in place, with one write and truncated only afterwards,
 * so that a reader finds all lines of the old or of the new text.
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
    await replaceFile(copyPath, text, { mode: 0o644 });
  }
}
