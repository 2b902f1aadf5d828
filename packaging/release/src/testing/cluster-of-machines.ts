import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { makeUpHashes } from '@kopsctl/actions/testing/make-up-hashes.ts';
import { openStore } from '@kopsctl/state-store/open.ts';

/** A cluster that is all in its state store, the user-data of its machines too. */
export const NAME = 'demo.k8s.local';

const CREATE = `create cluster ${NAME} --cloud metal --zones room-1 --networking kubenet --kubernetes-version 1.34.1`;

/** Stores the cluster. The hashes of all that it downloads are recorded, made up; those of the agents are at the address of a release. */
export async function storeCluster(
  kopsctl: (argv: readonly string[]) => Promise<string>,
  stateFolder: string,
): Promise<void> {
  await kopsctl([...CREATE.split(' '), '--offline']);
  await makeUpHashes(await openStore(`file://${stateFolder}`, {}), NAME);
}

/** Where machines of the cluster are told to download their agents, and what hash these must have. */
export async function toldOfAgents(
  stateFolder: string,
): Promise<{ readonly urls: readonly string[]; readonly sha256: string }> {
  const scripts = path.join(stateFolder, NAME, 'user-data');
  const [name = ''] = await readdir(scripts);
  const script = await readFile(path.join(scripts, name), 'utf8');
  const urls = [...script.matchAll(/^ {2}"\$@" '(.*)' && return 0$/gm)].map(([, url = '']) => url);
  const [, sha256 = ''] = /^sha256='(.*)'$/m.exec(script) ?? [];
  return { urls, sha256 };
}
