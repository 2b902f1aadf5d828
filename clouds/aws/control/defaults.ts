import type { Tags } from '../node/tag-list.ts';

/** Values that no spec sets, the same for the API, Terraform and CloudFormation. */

const GROUP_METRICS = [
  'GroupDesiredCapacity',
  'GroupInServiceInstances',
  'GroupMaxSize',
  'GroupMinSize',
  'GroupPendingInstances',
  'GroupStandbyInstances',
  'GroupTerminatingInstances',
  'GroupTotalInstances',
];
const WARM_POOL_METRICS = [
  'GroupAndWarmPoolDesiredCapacity',
  'GroupAndWarmPoolTotalCapacity',
  'WarmPoolDesiredCapacity',
  'WarmPoolMinSize',
  'WarmPoolPendingCapacity',
  'WarmPoolTerminatingCapacity',
  'WarmPoolTotalCapacity',
  'WarmPoolWarmedCapacity',
];

/** All metrics of an auto-scaling group; each has to be enabled by name (kops pkg/model/awsmodel/autoscalinggroup.go). */
export const groupMetrics = ({ warmPool }: { readonly warmPool?: unknown }): string[] =>
  warmPool === undefined ? GROUP_METRICS : [...GROUP_METRICS, ...WARM_POOL_METRICS].sort();

/** What is tagged when a machine is launched. */
export const TAGGED_WITH_MACHINE = ['instance', 'volume', 'network-interface'] as const;

/** Connections to a deregistered machine are closed after 30 seconds (kops pkg/model/awsmodel/api_loadbalancer.go). */
export const TARGET_GROUP_ATTRIBUTES: Tags = {
  'deregistration_delay.connection_termination.enabled': 'true',
  'deregistration_delay.timeout_seconds': '30',
};

/** Interval of health checks of a target group. */
export const HEALTH_CHECK_SECONDS = 10;

/** A hosted zone is given by id or by name; only a name contains a dot. */
export const isZoneId = (zone: string): boolean => !zone.includes('.');
