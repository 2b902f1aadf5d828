import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { CloudFormationTarget } from '@kopsctl/model/cloud.ts';
import type { TerraformTarget } from '@kopsctl/model/terraform/target.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { driverOf } from './cloud-layer.ts';

/** What writes a cluster as a Terraform configuration. @throws ActionableError where nothing does for its cloud */
export async function terraformTarget(cluster: Cluster): Promise<TerraformTarget> {
  const target = await driverOf(cluster).terraform?.();
  if (target === undefined) throw unsupported(cluster, 'Terraform');
  return target;
}

/** What writes a cluster as a CloudFormation template. @throws ActionableError where nothing does for its cloud */
export async function cloudFormationTarget(cluster: Cluster): Promise<CloudFormationTarget> {
  const target = await driverOf(cluster).cloudFormation?.();
  if (target === undefined) throw unsupported(cluster, 'CloudFormation');
  return target;
}

const unsupported = ({ metadata, spec }: Cluster, tool: string): ActionableError =>
  new ActionableError({
    what: `render ${metadata.name} for ${tool}`,
    why: `clusters of cloud provider ${spec.cloudProvider ?? '(none)'} cannot be written for ${tool}`,
    next: 'apply it directly: --target direct',
  });
