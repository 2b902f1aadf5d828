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
    const { LifecycleHooks: [hook] = [] } = await aws.autoScaling
      .send(new DescribeLifecycleHooksCommand({ AutoScalingGroupName: props.group, LifecycleHookNames: [props.name] }))
      .catch((thrown: unknown) => {
        if (isNotFound(thrown)) return { LifecycleHooks: [] };
        throw thrown;
      });
    return hook;
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
        const { LifecycleHooks = [] } = await aws.autoScaling.send(
          new DescribeLifecycleHooksCommand({ AutoScalingGroupName }),
        );
        const group = tagsOf(Tags)['kops.k8s.io/instancegroup'] ?? '';
        return LifecycleHooks.flatMap(({ LifecycleHookName: hook = '' }) => {
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
