import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';

import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { execa } from 'execa';

import type { NodePackage } from './targets.ts';

/** Fetches a Node through npm into a folder, unless it is there, and returns its path. Nothing else of the package is used. */
export async function fetchNode(wanted: NodePackage, folder: string): Promise<string> {
  const { name, version, integrity } = wanted;
  const node = path.join(folder, `${name}-${version}-${idOf(integrity)}`);
  if (existsSync(node)) return node;
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(path.join(folder, '.fetching-'));
  try {
    await execa('npm', ['pack', '--silent', '--ignore-scripts', `${name}@${version}`], { cwd: work });
    const archive = path.join(work, `${name}-${version}.tgz`);
    const found = await integrityOf(archive);
    if (found !== integrity) throw new Error(`its integrity is ${found}; ${integrity} is expected`);
    await execa('tar', ['--extract', '--gzip', `--file=${archive}`, `--directory=${work}`, 'package/bin/node']);
    await rename(path.join(work, 'package/bin/node'), node);
    return node;
  } catch (cause) {
    throw new ActionableError({
      what: `fetch ${name}@${version}`,
      why: messageOf(cause),
      next: 'check that npm reaches its registry: npm ping',
      cause,
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** A file of another package is never taken for this one. */
const idOf = (integrity: string): string => createHash('sha256').update(integrity).digest('hex').slice(0, 16);

async function integrityOf(file: string): Promise<string> {
  const hash = createHash('sha512');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return `sha512-${hash.digest('base64')}`;
}
