import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { LaunchHook } from '@kopsctl/node-plan/node-plan.ts';
import { machineCredentials } from './credentials.ts';
import { Ec2Refusal, openEc2Query } from './ec2-query.ts';
import { metadataEndpoint, openMetadata } from './metadata.ts';
import { machineRegion, serviceEndpoint } from './region.ts';

type Env = Readonly<Record<string, string | undefined>>;

const AUTO_SCALING = { name: 'autoscaling', title: 'Auto Scaling', version: '2011-01-01' };
/** What it answers where no machine is waited for: it was launched without the hook, or was waited for long enough. */
const NOTHING_WAITS = /No active Lifecycle Action found/;

/** Completes the lifecycle action of this machine (Auto Scaling API reference, CompleteLifecycleAction). */
export async function endLaunch({ group, hook }: LaunchHook, env: Env, signal: AbortSignal): Promise<void> {
  const metadata = openMetadata(metadataEndpoint(env));
  const [instanceId, region] = await Promise.all([
    metadata.read('instance-id', signal),
    machineRegion(metadata, env, signal),
  ]);
  const endpoint = await serviceEndpoint('autoscaling', region, { metadata, env }, signal);
  const credentials = machineCredentials(metadata, env, Date.now);
  const autoScaling = openEc2Query({ endpoint, region, credentials, nowMs: Date.now, service: AUTO_SCALING });
  const parameters = {
    AutoScalingGroupName: group,
    InstanceId: instanceId,
    LifecycleHookName: hook,
    LifecycleActionResult: 'CONTINUE',
  };
  try {
    await autoScaling.call('CompleteLifecycleAction', parameters, signal);
  } catch (thrown) {
    if (!(thrown instanceof Ec2Refusal)) throw thrown;
    if (NOTHING_WAITS.test(thrown.message)) return;
    throw new ActionableError({
      what: `tell ${group} that ${instanceId} is prepared`,
      why: thrown.message,
      next: 'the group terminates this machine when its lifecycle hook times out; check the role of its machines, and that the group has the hook',
      cause: thrown,
    });
  }
}
