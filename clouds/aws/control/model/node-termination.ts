import type { JsonObject, Task } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import type { AwsContext } from './aws-context.ts';
import { awsTask, outputOf } from './aws-task.ts';
import { autoscalingGroupName, isScaledByAws } from './group-names.ts';
import { POLICY_VERSION } from './iam/policy.ts';
import { partitionOf } from '../region.ts';
import { resourceTags } from './tags.ts';
import { truncatedName } from '@kopsctl/model/truncated-name.ts';

/** How long the termination of a machine waits for its drain, and how long a message about it is kept. */
const RETENTION_SECONDS = 300;

/** Names of queues have at most 80 characters; kops uses 79. */
const MAX_QUEUE_NAME = 79;
/** Names of rules have at most 64 characters, which include the name of the event. */
const MAX_RULE_PREFIX = 40;

interface AwsEvent {
  readonly name: string;
  readonly pattern: JsonObject;
  /** Only if enabled in the spec. */
  readonly isRebalance?: boolean;
}

const EVENTS: readonly AwsEvent[] = [
  {
    name: 'ASGLifecycle',
    pattern: { source: ['aws.autoscaling'], 'detail-type': ['EC2 Instance-terminate Lifecycle Action'] },
  },
  {
    name: 'InstanceScheduledChange',
    pattern: {
      source: ['aws.health'],
      'detail-type': ['AWS Health Event'],
      detail: { service: ['EC2'], eventTypeCategory: ['scheduledChange'] },
    },
  },
  {
    name: 'InstanceStateChange',
    pattern: { source: ['aws.ec2'], 'detail-type': ['EC2 Instance State-change Notification'] },
  },
  {
    name: 'RebalanceRecommendation',
    pattern: { source: ['aws.ec2'], 'detail-type': ['EC2 Instance Rebalance Recommendation'] },
    isRebalance: true,
  },
  {
    name: 'SpotInterruption',
    pattern: { source: ['aws.ec2'], 'detail-type': ['EC2 Spot Instance Interruption Warning'] },
  },
];

/** Whether AWS announces the termination of machines in a queue. */
export function usesTerminationQueue({ spec }: ClusterFacts): boolean {
  const handler = spec.nodeTerminationHandler;
  return handler?.enabled === true && handler.enableSQSTerminationDraining === true;
}

/** kops's name of the queue. */
export const terminationQueueName = ({ clusterName }: Pick<ClusterFacts, 'clusterName'>): string =>
  `${truncatedName(clusterName.replaceAll('.', '-'), MAX_QUEUE_NAME - '-nth'.length)}-nth`;

/**
 * The queue of termination events, the rules that fill it, and a hook in each group that delays termination (kops
 * pkg/model/awsmodel/nodeterminationhandler.go).
 */
export function nodeTermination(context: AwsContext): readonly Task[] {
  const { facts, groups } = context;
  if (!usesTerminationQueue(facts)) return [];
  const queue = terminationQueueName(facts);
  const rebalance = facts.spec.nodeTerminationHandler?.enableRebalanceDraining === true;
  const hooks = groups.filter(isScaledByAws).map((group) => {
    const name = `${group.metadata.name}-NTHLifecycleHook`;
    return awsTask('aws/LifecycleHook', name, {
      name,
      group: outputOf('aws/AutoscalingGroup', autoscalingGroupName(facts, group), 'name'),
      transition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      defaultResult: 'CONTINUE',
      heartbeatSeconds: RETENTION_SECONDS,
    });
  });
  const events = EVENTS.filter(({ isRebalance }) => isRebalance !== true || rebalance);
  return [...hooks, queueTask(context, queue), ...events.flatMap((event) => rule(context, event, queue))];
}

function queueTask({ facts, region }: AwsContext, name: string): Task {
  return awsTask('aws/Queue', name, {
    name,
    retentionSeconds: RETENTION_SECONDS,
    policy: {
      Statement: [
        {
          Action: 'sqs:SendMessage',
          Effect: 'Allow',
          Principal: { Service: ['events.amazonaws.com', 'sqs.amazonaws.com'] },
          // The policy of a queue only applies to that queue. Where the queue is made, its own account is put in.
          Resource: `arn:${partitionOf(region)}:sqs:${region}:*:${name}`,
        },
      ],
      Version: POLICY_VERSION,
    },
    tags: resourceTags(facts, name),
  });
}

function rule({ facts }: AwsContext, { name: event, pattern }: AwsEvent, queue: string): readonly Task[] {
  const name = `${truncatedName(facts.clusterName, MAX_RULE_PREFIX)}-${event}`;
  return [
    awsTask('aws/EventRule', name, { name, pattern, tags: resourceTags(facts, name) }),
    awsTask('aws/EventTarget', `${name}-Target`, {
      rule: outputOf('aws/EventRule', name, 'name'),
      target: outputOf('aws/Queue', queue, 'arn'),
    }),
  ];
}
