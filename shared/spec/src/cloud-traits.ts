import type { StateKeyKind } from './state-key.ts';

/**
 * The differences between clouds that shared code needs to know. Rules, builders and agents use these instead of a
 * cloud's name.
 */
export interface CloudTraits {
  /** Machines are containers that share this computer's kernel, processors, memory and disks. */
  readonly sharesHost: boolean;
  /** Programs and images come from prepared assets: machines cannot reach a registry. */
  readonly bringsImages: boolean;
  /** Kubernetes has a cloud provider for it. */
  readonly hasCloudProvider: boolean;
  /** The API can be behind a load balancer of the cloud. */
  readonly hasLoadBalancers: boolean;
  /** The names that lead to a load balancer are made together with it. Otherwise machines keep the names that they need. */
  readonly namesLoadBalancers: boolean;
  /** Lists of ranges have ids (`pl-…`), which stand for their ranges in rules of firewalls. */
  readonly hasPrefixLists: boolean;
  /** Machines may read the state store because they are machines of this cloud: workers their plans, control planes all of it. */
  readonly givesStoreRights: boolean;
  /** What routes to pods on other machines if the pod network is kubenet: a route table, or the machines themselves. */
  readonly routesPods: 'cloud' | 'machines';
  /**
   * Whether the network drops packets whose addresses are not the machine's own: never, always, or unless that is turned
   * off.
   */
  readonly checksSource: 'never' | 'always' | 'unless-disabled';
  /** Names of machines contain that of their group, which is a DNS name therefore. */
  readonly namesMachinesByGroup: boolean;
  /** A machine is made with one SSH key at most. */
  readonly takesOneSshKey: boolean;
  /** The keys that can seal keysets and secrets in the state store: those with which its machines can open them. */
  readonly stateKeys?: StateKeyKind;
}

/** The traits of a cloud with machines, disks and networks of its own. */
export const CLOUD_TRAITS: CloudTraits = {
  sharesHost: false,
  bringsImages: false,
  hasCloudProvider: true,
  hasLoadBalancers: true,
  namesLoadBalancers: true,
  hasPrefixLists: false,
  givesStoreRights: true,
  routesPods: 'cloud',
  checksSource: 'never',
  namesMachinesByGroup: true,
  takesOneSshKey: false,
};
