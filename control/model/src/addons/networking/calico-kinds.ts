import type { AddonObject } from '../addon-object.ts';
import { customKind } from '../custom-kind.ts';
import { adminPolicyKinds } from './admin-policies.ts';

export const CALICO = 'crd.projectcalico.org';

/** Calico's kinds with an irregular plural. */
const PLURALS: Readonly<Record<string, string>> = {
  BGPConfiguration: 'bgpconfigurations',
  BlockAffinity: 'blockaffinities',
  CalicoNodeStatus: 'caliconodestatuses',
  GlobalNetworkPolicy: 'globalnetworkpolicies',
  NetworkPolicy: 'networkpolicies',
  StagedGlobalNetworkPolicy: 'stagedglobalnetworkpolicies',
  StagedKubernetesNetworkPolicy: 'stagedkubernetesnetworkpolicies',
  StagedNetworkPolicy: 'stagednetworkpolicies',
};

/** Calico stores its state in the Kubernetes API, in these kinds (kdd-crds.yaml of v3.21 to v3.31; older releases ignore the newer kinds). */
const CLUSTER_KINDS = [
  'BGPConfiguration',
  'BGPFilter',
  'BGPPeer',
  'BlockAffinity',
  'CalicoNodeStatus',
  'ClusterInformation',
  'FelixConfiguration',
  'GlobalNetworkPolicy',
  'GlobalNetworkSet',
  'HostEndpoint',
  'IPAMBlock',
  'IPAMConfig',
  'IPAMHandle',
  'IPPool',
  'IPReservation',
  'KubeControllersConfiguration',
  'StagedGlobalNetworkPolicy',
  'Tier',
];
const NAMESPACED_KINDS = ['NetworkPolicy', 'NetworkSet', 'StagedKubernetesNetworkPolicy', 'StagedNetworkPolicy'];

export function calicoKinds(): readonly AddonObject[] {
  const define = (scope: 'Cluster' | 'Namespaced') => (kind: string) => {
    const plural = PLURALS[kind];
    return customKind({ group: CALICO, kind, scope, ...(plural === undefined ? {} : { plural }) });
  };
  return [
    ...CLUSTER_KINDS.map(define('Cluster')),
    ...NAMESPACED_KINDS.map(define('Namespaced')),
    ...adminPolicyKinds(['AdminNetworkPolicy', 'BaselineAdminNetworkPolicy']),
  ];
}
