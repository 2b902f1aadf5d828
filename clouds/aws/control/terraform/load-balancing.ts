import type { TerraformKind } from '@kopsctl/model/terraform/kind.ts';
import { block, blocks } from '@kopsctl/model/terraform/value.ts';
import type * as loadBalancing from '../kinds/load-balancing.ts';
import { attribute, noOutput, resource } from '@kopsctl/model/terraform/resource.ts';
import { HEALTH_CHECK_SECONDS, TARGET_GROUP_ATTRIBUTES } from '../defaults.ts';

const FIELDS: Readonly<Record<string, string>> = { arn: 'id', dnsName: 'dns_name', zoneId: 'zone_id' };

export const loadBalancer: TerraformKind<loadBalancing.LoadBalancerProps> = {
  resources: (name, props, { link }) => [
    resource('aws_lb', name, {
      access_logs:
        props.accessLog === undefined
          ? undefined
          : block({ bucket: props.accessLog.bucket, enabled: true, prefix: props.accessLog.prefix }),
      enable_cross_zone_load_balancing: props.crossZone,
      internal: props.internal,
      ip_address_type: props.dualStack ? 'dualstack' : undefined,
      load_balancer_type: 'network',
      name: props.name,
      security_groups: props.securityGroups.map(link),
      subnet_mapping: blocks(
        props.subnets.map(({ subnet, allocationId, privateAddress }) => ({
          allocation_id: allocationId,
          private_ipv4_address: privateAddress,
          subnet_id: link(subnet),
        })),
      ),
      tags: props.tags,
    }),
  ],
  output: (output, name) => attribute('aws_lb', name, FIELDS[output] ?? output),
};

export const targetGroup: TerraformKind<loadBalancing.TargetGroupProps> = {
  resources: (name, props, { link }) =>
    'sharedId' in props
      ? []
      : [
          resource('aws_lb_target_group', name, {
            connection_termination: TARGET_GROUP_ATTRIBUTES['deregistration_delay.connection_termination.enabled'],
            deregistration_delay: TARGET_GROUP_ATTRIBUTES['deregistration_delay.timeout_seconds'],
            health_check: block({
              healthy_threshold: 2,
              interval: HEALTH_CHECK_SECONDS,
              path: props.healthPath,
              protocol: props.healthPath === undefined ? 'TCP' : 'HTTPS',
              unhealthy_threshold: 2,
            }),
            name: props.name,
            port: props.port,
            protocol: props.protocol,
            tags: props.tags,
            vpc_id: link(props.vpc),
          }),
        ],
  output: (_output, name, props) =>
    'sharedId' in props ? props.sharedId : attribute('aws_lb_target_group', name, 'id'),
};

export const listener: TerraformKind<loadBalancing.ListenerProps> = {
  resources: (name, props, { link }) => [
    resource('aws_lb_listener', name, {
      certificate_arn: props.certificate,
      default_action: block({ target_group_arn: link(props.targetGroup), type: 'forward' }),
      load_balancer_arn: link(props.loadBalancer),
      port: props.port,
      protocol: props.protocol,
      ssl_policy: props.sslPolicy,
    }),
  ],
  output: noOutput,
};
