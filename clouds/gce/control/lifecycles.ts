import type { KindLifecycle } from '@kopsctl/model/lifecycle.ts';
import type { GceKind } from './kinds/gce-kinds.ts';

/** The kinds by kops's names (kops upup/pkg/fi/cloudup/gcetasks), each with the phase that creates it. */
const KINDS: readonly (readonly [kind: GceKind, kopsName: string, phase: KindLifecycle['phase']])[] = [
  ['gce/Network', 'Network', 'network'],
  ['gce/Subnetwork', 'Subnet', 'network'],
  ['gce/Router', 'Router', 'network'],
  ['gce/Firewall', 'FirewallRule', 'security'],
  ['gce/ServiceAccount', 'ServiceAccount', 'security'],
  ['gce/ProjectMember', 'ProjectIAMBinding', 'security'],
  ['gce/BucketMember', 'StorageBucketIAM', 'security'],
  ['gce/KeyMember', 'KMSKeyIAM', 'security'],
  ['gce/PublicFile', 'ManagedFile', 'cluster'],
  ['gce/Disk', 'Disk', 'cluster'],
  ['gce/Address', 'Address', 'cluster'],
  ['gce/InstanceTemplate', 'InstanceTemplate', 'cluster'],
  ['gce/InstanceGroupManager', 'InstanceGroupManager', 'cluster'],
  ['gce/HttpHealthCheck', 'HTTPHealthcheck', 'cluster'],
  ['gce/HealthCheck', 'HealthCheck', 'cluster'],
  ['gce/TargetPool', 'TargetPool', 'cluster'],
  ['gce/BackendService', 'BackendService', 'cluster'],
  ['gce/ForwardingRule', 'ForwardingRule', 'cluster'],
];

export const GCE_LIFECYCLES: readonly KindLifecycle[] = KINDS.map(([kind, kopsName, phase]) => ({
  kind,
  kopsName,
  phase,
}));
