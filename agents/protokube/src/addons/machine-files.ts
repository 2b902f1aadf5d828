import { readFile } from 'node:fs/promises';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { CILIUM_ETCD_CLIENT } from '@kopsctl/node-plan/cilium-etcd.ts';
import type { ApplyEnv } from './apply-addon.ts';

/**
 * What manifests contain of the files of a control plane. It is filled in on the way to the API server, and no manifest in the
 * store has it.
 *
 * @param root the folder in which the files are; the machine's own by default
 */
export const factsOfFiles = (root = ''): ApplyEnv['facts'] => ({
  ciliumEtcdClient: (signal) => pairAt(`${root}${CILIUM_ETCD_CLIENT}`, signal),
});

/** A certificate and its key, one after the other, as base64 of PEM. */
async function pairAt(path: string, signal: AbortSignal): Promise<string> {
  const files = await Promise.all(
    ['.crt', '.key'].map((end) => ifThere(readFile(`${path}${end}`, { encoding: 'utf8', signal }))),
  );
  if (files.includes(undefined)) {
    throw new ActionableError({
      what: `give Cilium's agents the certificate in ${path}.crt`,
      why: 'this machine has no such certificate, or not its key: it was made before its etcd cluster was in the spec',
      next: 'replace the control planes: kopsctl rolling-update cluster --yes',
    });
  }
  return Buffer.from(files.join('')).toString('base64');
}
