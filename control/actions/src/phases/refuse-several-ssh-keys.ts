import { specCloud } from '@kopsctl/clouds/control.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { sshPublicKeyFolder } from '../keys/ssh-public-key.ts';

/**
 * Refuses to choose one of several SSH keys for machines that take one (kops upup/pkg/fi/cloudup/apply_cluster.go). A spec that names
 * a key of the cloud, or wants none, does not use those of the store.
 */
export async function refuseSeveralSshKeys(store: StateStore, { cluster }: Pick<Completed, 'cluster'>): Promise<void> {
  const { metadata, spec } = cluster;
  if (!specCloud(cluster).traits.takesOneSshKey || spec.sshKeyName !== undefined) return;
  const keys = await store.list(sshPublicKeyFolder(metadata.name));
  if (keys.length < 2) return;
  throw new ActionableError({
    what: `make machines of ${metadata.name}`,
    why: `its state store holds ${keys.length} SSH public keys, and a machine of its cloud can have only one`,
    next: `remove all of them with \`kopsctl delete sshpublickey ${metadata.name}\`, and store the one to keep with \`kopsctl create sshpublickey ${metadata.name} -i FILE\``,
  });
}
