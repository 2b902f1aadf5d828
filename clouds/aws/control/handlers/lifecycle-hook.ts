import {
  DeleteLifecycleHookCommand,
  DescribeLifecycleHooksCommand,
  type LifecycleHook,
  PutLifecycleHookCommand,
} from '@aws-sdk/client-auto-scaling';
import type { AwsCloud } from './aws-cloud.ts';
import { isNotFound } from './aws-error.ts';
import { tagsOf } from '../../node/tag-list.ts';
import type { PropsOf } from '../kinds/aws-kinds.ts';
import { resourceHandler } from './resource-handler.ts';
import { ownedGroups } from './owned-groups.ts';

export const lifecycleHookHandler = resourceHandler<'aws/LifecycleHook', LifecycleHook>({
  kind: 'aws/LifecycleHook',
  noun: 'lifecycle hook',
  async find({ props }, aws) {
    try {
      const hooks = await hooksOf(props.group, aws);
      return hooks.find(({ LifecycleHookName }) => LifecycleHookName === props.name);
    } catch (thrown) {
      if (isNotFound(thrown)) return undefined;
      throw thrown;
    }
  },
  wanted: ({ transition, defaultResult, heartbeatSeconds }) => ({ transition, defaultResult, heartbeatSeconds }),
  present: ({ LifecycleTransition = '', DefaultResult = '', HeartbeatTimeout = 0 }) => ({
    transition: LifecycleTransition,
    defaultResult: DefaultResult,
    heartbeatSeconds: HeartbeatTimeout,
  }),
  create: ({ props }, aws) => putHook(props, aws),
  update: ({ props }, _found, _changes, aws) => putHook(props, aws),
  async owned(aws) {
    // They are deleted with their groups.
    if (aws.everything) return [];
    const hooks = await Promise.all(
      (await ownedGroups(aws)).map(async ({ AutoScalingGroupName, Tags }) => {
        const group = tagsOf(Tags)['kops.k8s.io/instancegroup'] ?? '';
        return (await hooksOf(AutoScalingGroupName, aws)).flatMap(({ LifecycleHookName: hook = '' }) => {
          const name = hookTask(hook, group);
          if (name === undefined) return [];
          const description = `lifecycle hook ${hook} of ${AutoScalingGroupName ?? ''}`;
          return [
            {
              name,
              description,
              handle: `${AutoScalingGroupName ?? ''} ${hook}`,
            },
          ];
        });
      }),
    );
    return hooks.flat();
  },
  async remove({ handle }, aws) {
    const [AutoScalingGroupName, LifecycleHookName] = handle.split(' ');
    await aws.autoScaling.send(new DeleteLifecycleHookCommand({ AutoScalingGroupName, LifecycleHookName }));
  },
});

/** All hooks of a group: it has few, and one request serves all who look for one. */
async function hooksOf(AutoScalingGroupName: string | undefined, aws: AwsCloud): Promise<readonly LifecycleHook[]> {
  const command = new DescribeLifecycleHooksCommand({ AutoScalingGroupName });
  return (await aws.autoScaling.send(command)).LifecycleHooks ?? [];
}

/** The task of a hook, by its name; hooks with other names are not ours. */
function hookTask(hook: string, group: string): string | undefined {
  if (hook === `${group}-NTHLifecycleHook`) return hook;
  return hook === 'kops-warmpool' ? `${hook}-${group}` : undefined;
}

async function putHook(props: PropsOf<'aws/LifecycleHook'>, aws: AwsCloud): Promise<void> {
  await aws.autoScaling.send(
    new PutLifecycleHookCommand({
      AutoScalingGroupName: props.group,
      LifecycleHookName: props.name,
      LifecycleTransition: props.transition,
      DefaultResult: props.defaultResult,
      HeartbeatTimeout: props.heartbeatSeconds,
    }),
  );
}
