import { clusterSpec } from './schema/cluster.ts';
import { object, type ObjectField } from './schema/field.ts';
import { instanceGroupSpec } from './schema/instance-group.ts';
import { objectMeta } from './schema/metadata.ts';
import { hostSpec, keysetSpec, sshCredentialSpec } from './schema/other-kinds.ts';

const kindOf = (spec: ObjectField) => object({ apiVersion: 'string', kind: 'string', metadata: objectMeta, spec });

/** The kinds of the API and their schemas. */
export const KINDS = {
  Cluster: kindOf(clusterSpec),
  InstanceGroup: kindOf(instanceGroupSpec),
  Keyset: kindOf(keysetSpec),
  SSHCredential: kindOf(sshCredentialSpec),
  Host: kindOf(hostSpec),
} as const satisfies Readonly<Record<string, ObjectField>>;

export type Kind = keyof typeof KINDS;

export const isKind = (name: string): name is Kind => Object.hasOwn(KINDS, name);
