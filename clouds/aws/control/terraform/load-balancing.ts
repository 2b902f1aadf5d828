import type { Resource, TerraformKind } from '@kopsctl/model/terraform/kind.ts';
import { terraformName } from '@kopsctl/model/terraform/terraform-name.ts';
import { block, blocks, type Expression, expression } from '@kopsctl/model/terraform/value.ts';
import type * as loadBalancing from '../kinds/load-balancing.ts';
import { attribute, data, noOutput, resource } from '@kopsctl/model/terraform/resource.ts';
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
    ...(props.leadsMachines ? itsInterfaces(name, props.subnets.length) : []),
  ],
  output: (output, name) =>
    output === 'addresses' ? addressesOf(name) : attribute('aws_lb', name, FIELDS[output] ?? output),
};

/** Its network interfaces: Terraform's provider tells only their public addresses. */
function itsInterfaces(name: string, count: number): readonly Resource[] {
  const all = attribute('data.aws_network_interfaces', name, 'ids').text;
  const suffix = attribute('aws_lb', name, 'arn_suffix').text;
  return [
    data('aws_network_interfaces', name, {
      filter: block({ name: 'description', values: [expression(`format("ELB %s", ${suffix})`)] }),
    }),
    data('aws_network_interface', name, { count, id: expression(`tolist(${all})[count.index]`) }),
  ];
}

const addressesOf = (name: string): Expression =>
  expression(
    `join(" ", sort(flatten([for one in data.aws_network_interface.${terraformName(name)} : concat([one.private_ip], tolist(one.ipv6_addresses))])))`,
  );

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
