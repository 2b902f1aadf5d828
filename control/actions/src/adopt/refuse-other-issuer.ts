import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { parseDocument } from 'yaml';
import { COMPLETED_BY_KOPS } from '../store/object-paths.ts';

/**
 * With another issuer, tokens of service accounts would come from an issuer that nobody outside the cluster trusts. kops
 * takes the issuer from what it finds in the cloud, such as the region of a bucket.
 *
 * @throws ActionableError where kops has found another one
 */
export async function refuseOtherIssuer(
  store: StateStore,
  { metadata: { name }, spec }: Cluster,
  signal: AbortSignal,
): Promise<void> {
  const stored = await Promise.all(COMPLETED_BY_KOPS.map((file) => store.read(`${name}/${file}`, signal)));
  const found = stored.find((one) => one !== undefined);
  const path = ['spec', 'kubeAPIServer', 'serviceAccountIssuer'];
  const theirs = found && parseDocument(new TextDecoder().decode(found.bytes)).getIn(path);
  const ours = spec.kubeAPIServer?.serviceAccountIssuer;
  if (typeof theirs !== 'string' || ours === undefined || ours === theirs) return;
  throw new ActionableError({
    what: `take over ${name}`,
    why: `kops made ${theirs} the issuer of its service accounts, and kopsctl would make it ${ours}`,
    next: `run \`kopsctl edit cluster ${name}\`, and set spec.kubeAPIServer.serviceAccountIssuer: ${theirs}`,
  });
}
