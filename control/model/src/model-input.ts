import type { AssetIndex } from '@kopsctl/assets/asset-index.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Sha256Of } from './asset-catalog.ts';
import type { AgentsRelease } from './published-assets.ts';

/** What a model is told but the hashes: no addon depends on them. */
export type AddonInput = Omit<ModelInput, 'sha256Of'>;

export interface ModelInput {
  /** Completed. */
  readonly cluster: Cluster;
  /** Completed, all of the cluster's. */
  readonly instanceGroups: readonly InstanceGroup[];
  readonly assets: AssetIndex;
  /** The state store as the operator's machine reaches it. */
  readonly storeUrl: string;
  /** Local machines: the folder that holds the files of the asset index. */
  readonly assetsDir: string;
  /** Those of the state store; the first logs in to machines. */
  readonly sshPublicKeys: readonly SshPublicKey[];
  /** A manifest of objects that a person wants in the cluster as well. */
  readonly additionalObjects?: string;
  /** Where machines in a cloud get this suite's agents. */
  readonly agents: AgentsRelease;
  /** The hashes of what machines download from where it is published. */
  readonly sha256Of: Sha256Of;
}

/** A public key as ~/.ssh/id_rsa.pub holds it, and the name kops keeps it under. */
export interface SshPublicKey {
  readonly text: string;
  /** MD5 of the key, in hexadecimal. */
  readonly fingerprint: string;
}
