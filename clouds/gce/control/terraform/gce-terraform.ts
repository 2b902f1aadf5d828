import type { TerraformKind } from '@kopsctl/model/terraform/kind.ts';
import type { GceKind, GceKinds } from '../kinds/gce-kinds.ts';
import * as compute from './compute.ts';
import * as iam from './iam.ts';
import * as loadBalancing from './load-balancing.ts';
import * as network from './network.ts';
import * as storage from './storage.ts';

/** How each GCE kind is written for Terraform's Google provider, 5.11.0 and newer. */
export const gceTerraformKinds = (project: string): { readonly [Kind in GceKind]: TerraformKind<GceKinds[Kind]> } => ({
  'gce/Network': network.googleNetwork(project),
  'gce/Subnetwork': network.googleSubnetwork(project),
  'gce/Router': network.router,
  'gce/Firewall': network.firewall,
  'gce/Address': network.address,
  'gce/ServiceAccount': iam.serviceAccount,
  'gce/ProjectMember': iam.projectMember,
  'gce/BucketMember': iam.bucketMember,
  'gce/KeyMember': iam.keyMember,
  'gce/PublicFile': storage.publicFile,
  'gce/Disk': compute.disk,
  'gce/InstanceTemplate': compute.instanceTemplate,
  'gce/InstanceGroupManager': compute.instanceGroupManager,
  'gce/HttpHealthCheck': loadBalancing.httpHealthCheck,
  'gce/HealthCheck': loadBalancing.healthCheck,
  'gce/TargetPool': loadBalancing.targetPool,
  'gce/BackendService': loadBalancing.backendService,
  'gce/ForwardingRule': loadBalancing.forwardingRule,
});
