import { stateKeyOf } from '@kopsctl/spec/state-key.ts';
import { GOSSIP_CONTROL_PLANE_KEY, GOSSIP_KEY, usesGossip } from '@kopsctl/model/discovery.ts';
import { CLUSTER_CONTEXT, OBJECT_CONTEXT } from '../../../node/kms-state-key.ts';
import type { AwsContext } from '../aws-context.ts';
import { allow, type Permissions, type Statement } from './policy.ts';

const bound = (name: string): string => `kms:EncryptionContext:${name}`;

/**
 * Open only keysets and secrets of this cluster, and only with the keys that its spec names. Where encryptionConfig lets the
 * machine use every key, because a plugin beside the API server calls KMS, these are excepted.
 */
export function sealedState({ facts }: AwsContext): Permissions {
  const keys = stateKeyOf(facts.cluster)?.opensWith ?? [];
  if (keys.length === 0) return {};
  const ofCluster = { [bound(CLUSTER_CONTEXT)]: facts.clusterName };
  const others: Statement = {
    Action: ['kms:Decrypt', 'kms:ReEncrypt*'],
    // A volume that is encrypted with the same key is opened by EC2.
    Condition: { Null: { 'kms:ViaService': 'true' }, StringNotEquals: ofCluster },
    Effect: 'Deny',
    Resource: keys,
  };
  return {
    statements: [
      ...allow(['kms:Decrypt'], keys, { StringEquals: ofCluster }),
      ...(facts.spec.encryptionConfig === true ? [others] : []),
    ],
  };
}

/** Seal the keys of gossip again, the only ones that control planes change. */
export function renewedKeys({ facts }: AwsContext): Permissions {
  const keys = stateKeyOf(facts.cluster)?.opensWith ?? [];
  if (keys.length === 0 || !usesGossip(facts)) return {};
  return {
    statements: allow(['kms:Encrypt'], keys, {
      StringEquals: {
        [bound(CLUSTER_CONTEXT)]: facts.clusterName,
        [bound(OBJECT_CONTEXT)]: [GOSSIP_KEY, GOSSIP_CONTROL_PLANE_KEY].map((name) => `secrets/${name}`),
      },
    }),
  };
}
