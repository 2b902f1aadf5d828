import type { Tags } from './kinds/output.ts';

/*
 * What no spec says and every target says alike: the API, Terraform and CloudFormation.
 */

/** All metrics of a group that there are; each is asked for by name. */
export const GROUP_METRICS = [
  'GroupDesiredCapacity',
  'GroupInServiceInstances',
  'GroupMaxSize',
  'GroupMinSize',
  'GroupPendingInstances',
  'GroupStandbyInstances',
  'GroupTerminatingInstances',
  'GroupTotalInstances',
];

/** The device that images of the distributions have for their root, where an image cannot be asked. */
export const ROOT_DEVICE = '/dev/xvda';

/** Everything a machine comes with is tagged like the machine. */
export const TAGGED_WITH_MACHINE = ['instance', 'volume', 'network-interface'] as const;

/** A machine that leaves has its connections ended after half a minute (kops pkg/model/awsmodel/api_loadbalancer.go). */
export const TARGET_GROUP_ATTRIBUTES: Tags = {
  'deregistration_delay.connection_termination.enabled': 'true',
  'deregistration_delay.timeout_seconds': '30',
};

/** Seconds between two looks at a target. */
export const HEALTH_CHECK_SECONDS = 10;

/** A hosted zone is named by its id, or by its name, which has a dot in it. */
export const isZoneId = (zone: string): boolean => !zone.includes('.');
