import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { NODE_AUTHORITY_CA } from '@kopsctl/model/node/certificates.ts';
import { AUTHORITY_CA } from '@kopsctl/node-plan/boot-config.ts';
import { userDataFile } from '@kopsctl/node-plan/user-data-file.ts';
import { publishedKeysetPath } from '@kopsctl/pki/keyset-store.ts';
import { parseKeyset, trustedCertificates } from '@kopsctl/pki/keyset.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { ActionContext } from '../phases/action.ts';
import { prepareCluster } from '../phases/prepare-cluster.ts';
import { storedCluster } from '../phases/wanted-cluster.ts';

/**
 * The user-data of a group, with the certificates by which its machines know authorities. Root runs it on the machine, so it
 * is worked out again, and only used if it is what the cluster was applied with: write access to the store does not decide
 * what machines run.
 */
export async function userDataOfHosts(
  context: ActionContext,
  store: StateStore,
  cluster: string,
  group: string,
): Promise<string> {
  const { signal } = context;
  const missing = (path: string): ActionableError =>
    new ActionableError({
      what: `enroll a machine of the instance group ${group}`,
      why: `${path} is not in ${store.url}: either the cluster was not applied, or its cloud makes the machines of its groups itself`,
      next: `run \`kopsctl update cluster ${cluster} --yes\`; a cloud that makes machines itself needs no enrolling`,
    });
  const path = `${cluster}/${userDataFile(group)}`;
  const stored = await store.read(path, signal);
  if (stored === undefined) throw missing(path);
  const caPath = publishedKeysetPath(cluster, NODE_AUTHORITY_CA);
  const ca = await store.read(caPath, signal);
  if (ca === undefined) throw missing(caPath);
  const certificates = trustedCertificates(parseKeyset(Buffer.from(ca.bytes).toString('utf8'), caPath));
  const text = await wantedUserData(context, store, cluster, group);
  if (text !== Buffer.from(stored.bytes).toString('utf8')) {
    throw new ActionableError({
      what: `enroll a machine of the instance group ${group}`,
      why: `${path} in ${store.url} is not what the spec of the cluster makes of it: the spec, the files that machines download or kopsctl have changed since it was applied, or somebody else wrote it`,
      next: `\`kopsctl update cluster ${cluster}\` shows what differs, and with --yes writes it`,
    });
  }
  return text.replaceAll(AUTHORITY_CA, Buffer.from(certificates).toString('base64'));
}

/** What is to be in the store, by the spec there and by hashes that are known. */
async function wantedUserData(
  context: ActionContext,
  store: StateStore,
  cluster: string,
  group: string,
): Promise<string | undefined> {
  const wanted = await storedCluster(store, cluster);
  const { tasks } = await prepareCluster(context, {
    store,
    wanted,
    assets: undefined,
    asksCloud: false,
    offline: true,
  });
  const file = tasks.find(({ kind, props }) => kind === 'ManagedFile' && props['path'] === userDataFile(group));
  const content = file?.props['content'];
  return typeof content === 'string' ? content : undefined;
}
