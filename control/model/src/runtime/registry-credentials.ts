import type { Json } from '@kopsctl/tasks/task.ts';
import type { Arch } from '../assets/asset-catalog.ts';

/** A program of a cloud that kubelet asks for credentials of the cloud's own registry before it pulls an image there. */
export interface RegistryCredentials {
  /** The name of the program and of its asset. */
  readonly name: string;
  readonly version: string;
  readonly url: (arch: Arch) => string;
  /** What kubelet has to know about it (CredentialProvider of kubelet.config.k8s.io/v1), except its name and API version. */
  readonly provider: { readonly [field: string]: Json };
}
