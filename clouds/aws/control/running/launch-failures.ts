import { type Activity, DescribeScalingActivitiesCommand } from '@aws-sdk/client-auto-scaling';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { AwsCloud } from '../handlers/aws-cloud.ts';
import { explained } from '../handlers/aws-error.ts';
import type { MachineGroup } from './machine-groups.ts';

/** The newest activities come first; a few machines may have been terminated since the last attempt to start one. */
const NEWEST = 10;

/** Why AWS does not start the missing machines of groups: what it says about its last attempt, by instance group. */
export async function launchFailures(
  aws: Pick<AwsCloud, 'autoScaling'>,
  groups: readonly MachineGroup[],
  signal?: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const lacking = groups.filter(({ desired, instances }) => instances.length < desired);
  const told = await Promise.all(
    lacking.map(async ({ name, instanceGroup }) => [instanceGroup, await failureOf(aws, name, signal)] as const),
  );
  return Object.fromEntries(told.flatMap(([group, failure]) => (failure === undefined ? [] : [[group, failure]])));
}

async function failureOf(
  { autoScaling }: Pick<AwsCloud, 'autoScaling'>,
  name: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const question = new DescribeScalingActivitiesCommand({ AutoScalingGroupName: name, MaxRecords: NEWEST });
  try {
    const { Activities = [] } = await autoScaling.send(question, signal === undefined ? {} : { abortSignal: signal });
    return lastFailure(Activities);
  } catch (thrown) {
    signal?.throwIfAborted();
    return `AWS does not say why: ${messageOf(explained(thrown, `ask for the scaling activities of ${name}`))}`;
  }
}

/** Why the last start of a machine failed; undefined if it did not fail. The newest activity has to come first. Pure. */
export function lastFailure(
  activities: readonly Pick<Activity, 'Description' | 'StatusCode' | 'StatusMessage'>[],
): string | undefined {
  const last = activities.find(({ Description = '' }) => Description.startsWith('Launching'));
  return last?.StatusCode === 'Failed' ? last.StatusMessage : undefined;
}
