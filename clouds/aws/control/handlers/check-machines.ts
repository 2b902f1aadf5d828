import { paginateDescribeInstanceTypes } from '@aws-sdk/client-ec2';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Fault } from '@kopsctl/spec/validate/fault.ts';
import { explained } from './aws-error.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { describeImage } from './image.ts';
import { type MachineFacts, machineFaults, typesOf } from '../machine-faults.ts';

/**
 * Compares the images and machine types of groups with what the region offers, before anything is made: a template with
 * another image than its machine type needs is only refused when a machine starts from it. Changes nothing.
 */
export async function checkMachines(
  aws: AwsCloud,
  groups: readonly InstanceGroup[],
  signal: AbortSignal,
): Promise<readonly Fault[]> {
  try {
    const [images, machineTypes] = await Promise.all([
      imageArchitectures(aws, groups),
      typeArchitectures(aws, groups, signal),
    ]);
    return machineFaults(groups, { region: aws.region, images, machineTypes });
  } catch (thrown) {
    throw explained(thrown, `look for the images and machine types of ${aws.clusterName}`);
  }
}

async function imageArchitectures(aws: AwsCloud, groups: readonly InstanceGroup[]): Promise<MachineFacts['images']> {
  const names = [...new Set(groups.flatMap(({ spec }) => spec.image ?? []))];
  const found = names.map(async (name) => [name, (await describeImage(aws, name))?.Architecture] as const);
  return new Map(await Promise.all(found));
}

/** A filter, because a request for types by name fails as a whole where one of them does not exist. */
async function typeArchitectures(
  { ec2 }: AwsCloud,
  groups: readonly InstanceGroup[],
  abortSignal: AbortSignal,
): Promise<MachineFacts['machineTypes']> {
  const Values = [...new Set(groups.flatMap((group) => typesOf(group).map(({ name }) => name)))];
  const found = new Map<string, readonly string[]>();
  if (Values.length === 0) return found;
  const Filters = [{ Name: 'instance-type', Values }];
  for await (const page of paginateDescribeInstanceTypes({ client: ec2 }, { Filters }, { abortSignal })) {
    for (const { InstanceType: type, ProcessorInfo: processor } of page.InstanceTypes ?? []) {
      if (type !== undefined) found.set(type, processor?.SupportedArchitectures ?? []);
    }
  }
  return found;
}
