import type { AssetIndex } from '@kopsctl/assets/asset-index.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Sha256Of } from './assets/asset-catalog.ts';
import type { SecretHashes } from './store/brought-secrets.ts';
import type { AgentsRelease, NamedFile } from './assets/published-assets.ts';

/** The input of a model without the hashes, on which no addon depends. */
export type AddonInput = Omit<ModelInput, 'sha256Of'>;

export interface ModelInput {
  /** Completed. */
  readonly cluster: Cluster;
  /** Completed. All groups of the cluster. */
  readonly instanceGroups: readonly InstanceGroup[];
  /** The names of the groups whose machines are made. What all machines share knows of every group. Absent: all groups. */
  readonly madeGroups?: readonly string[];
  readonly assets: AssetIndex;
  /** The URL at which the operator's machine reaches the state store. */
  readonly storeUrl: string;
  /** For local machines: the folder with the files of the asset index. */
  readonly assetsDir: string;
  /** For local machines: the file with the person's identities of age, which open what is sealed in the state store. */
  readonly stateIdentity?: string;
  /** The SSH keys in the state store. The first can log in to machines. */
  readonly sshPublicKeys: readonly SshPublicKey[];
  /** The hashes of the secrets in the state store that people brought. Absent if there are none. */
  readonly secrets?: SecretHashes;
  /** The states of the keysets that were changed since they were created, by name. Absent if none was. */
  readonly keysets?: Readonly<Record<string, string>>;
  /** kops made the cluster: what it wrote to the state store stays as it is. */
  readonly isOfKops?: boolean;
  /** A manifest with additional objects of the user. */
  readonly additionalObjects?: string;
  /** The URL from which machines in a cloud download this suite's agents. */
  readonly agents: AgentsRelease;
  /** The CNI plugins that a person named instead of those of a release. */
  readonly cniPlugins?: NamedFile;
  /** The hashes of files that machines download from upstream projects. */
  readonly sha256Of: Sha256Of;
}

/** Whether the machines of a group are made. */
export const makesMachines = ({ madeGroups }: Pick<ModelInput, 'madeGroups'>, { metadata }: InstanceGroup): boolean =>
  madeGroups?.includes(metadata.name) ?? true;

/** A public key in the format of ~/.ssh/id_rsa.pub, and the name under which kops keeps it. */
export interface SshPublicKey {
  readonly text: string;
  /** MD5 of the key, in hexadecimal. */
  readonly fingerprint: string;
}
