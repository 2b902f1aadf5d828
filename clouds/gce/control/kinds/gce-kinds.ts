import type { Resolved } from '@kopsctl/model/resolved.ts';
import type * as compute from './compute.ts';
import type * as iam from './iam.ts';
import type * as loadBalancing from './load-balancing.ts';
import type * as network from './network.ts';
import type * as storage from './storage.ts';

/** Every GCE kind and the props of its tasks: the contract between the model, Terraform and the handlers. */
export interface GceKinds {
  readonly 'gce/Network': network.NetworkProps;
  readonly 'gce/Subnetwork': network.SubnetworkProps;
  readonly 'gce/Router': network.RouterProps;
  readonly 'gce/Firewall': network.FirewallProps;
  readonly 'gce/Address': network.AddressProps;
  readonly 'gce/ServiceAccount': iam.ServiceAccountProps;
  readonly 'gce/ProjectMember': iam.ProjectMemberProps;
  readonly 'gce/BucketMember': iam.BucketMemberProps;
  readonly 'gce/KeyMember': iam.KeyMemberProps;
  readonly 'gce/PublicFile': storage.PublicFileProps;
  readonly 'gce/Disk': compute.DiskProps;
  readonly 'gce/InstanceTemplate': compute.InstanceTemplateProps;
  readonly 'gce/InstanceGroupManager': compute.InstanceGroupManagerProps;
  readonly 'gce/HttpHealthCheck': loadBalancing.HttpHealthCheckProps;
  readonly 'gce/HealthCheck': loadBalancing.HealthCheckProps;
  readonly 'gce/TargetPool': loadBalancing.TargetPoolProps;
  readonly 'gce/BackendService': loadBalancing.BackendServiceProps;
  readonly 'gce/ForwardingRule': loadBalancing.ForwardingRuleProps;
}

export type GceKind = keyof GceKinds;

/** Props as a handler gets them. */
export type PropsOf<Kind extends GceKind> = Resolved<GceKinds[Kind]>;
