import { createSshPublicKey as create } from '@kopsctl/actions/create-ssh-public-key.ts';
import { deleteSshPublicKeys as remove } from '@kopsctl/actions/delete-ssh-public-keys.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { writeOut, writeResult } from '../output/terminal.ts';

/** Stores a key that may log in to the machines of a cluster. */
export async function createSshPublicKey(
  global: GlobalOptions,
  name: string | undefined,
  { sshPublicKey: file }: { readonly sshPublicKey: string },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { cluster, fingerprint } = await create(actionContext(global, env), { cluster: name, file });
  const object = `sshpublickey/${fingerprint}`;
  writeResult({ message: `Created ${object} of ${cluster}`, details: { object, cluster, outcome: 'created' } });
  return 0;
}

/** Takes all keys away, at once as kops does; machines that are made afterwards have none. */
export async function deleteSshPublicKeys(
  global: GlobalOptions,
  name: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { cluster, fingerprints } = await remove(actionContext(global, env), { cluster: name });
  for (const object of fingerprints.map((id) => `sshpublickey/${id}`)) {
    writeResult({ message: `Deleted ${object} of ${cluster}`, details: { object, cluster, outcome: 'deleted' } });
  }
  if (fingerprints.length === 0) writeOut(`${cluster} has no SSH key\n`);
  return 0;
}
