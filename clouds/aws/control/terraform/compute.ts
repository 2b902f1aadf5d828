import { userDataBytes, withAuthorityCa } from '../launch-template-data.ts';
import { API_LOAD_BALANCER } from '@kopsctl/node-plan/boot-config.ts';
import type { Rendering, TerraformKind } from '@kopsctl/model/terraform/kind.ts';
import {
  block,
  Blocks,
  blocks,
  type Body,
  Expression,
  expression,
  unlessEmpty,
  type Value,
} from '@kopsctl/model/terraform/value.ts';
import type * as compute from '../kinds/compute.ts';
import { imageId, imageLookup } from './image.ts';
import { attribute, noOutput, resource } from '@kopsctl/model/terraform/resource.ts';
import { groupMetrics, TAGGED_WITH_MACHINE } from '../defaults.ts';
import { USUAL_ROOT_DEVICE } from '../root-device.ts';

export const volume: TerraformKind<compute.VolumeProps> = {
  resources: (name, props) => [
    resource('aws_ebs_volume', name, {
      availability_zone: props.zone,
      encrypted: props.encrypted,
      iops: props.iops,
      kms_key_id: props.kmsKey,
      size: props.sizeGiB,
      tags: props.tags,
      throughput: props.throughput,
      type: props.type,
    }),
  ],
  output: (_output, name) => attribute('aws_ebs_volume', name, 'id'),
};

function ebs(device: compute.EbsDevice): Blocks {
  return block({
    delete_on_termination: device.deleteOnTermination,
    encrypted: device.encrypted,
    iops: device.iops,
    kms_key_id: device.kmsKey,
    throughput: device.throughput,
    volume_size: device.sizeGiB,
    volume_type: device.type,
  });
}

export const launchTemplate: TerraformKind<compute.LaunchTemplateProps> = {
  resources: (name, props, rendering) => [
    ...imageLookup(props.image),
    resource('aws_launch_template', name, {
      block_device_mappings: new Blocks([
        { device_name: props.rootDeviceName ?? USUAL_ROOT_DEVICE, ebs: ebs(props.rootDevice) },
        ...props.devices.map((device) =>
          'ebs' in device
            ? { device_name: device.device, ebs: ebs(device.ebs) }
            : { device_name: device.device, virtual_name: device.ephemeral },
        ),
      ]),
      credit_specification: props.cpuCredits === undefined ? undefined : block({ cpu_credits: props.cpuCredits }),
      ebs_optimized: props.ebsOptimized,
      iam_instance_profile: block({ name: rendering.link(props.instanceProfile) }),
      image_id: imageId(props.image),
      instance_market_options: spot(props),
      instance_type: props.machineType,
      key_name: props.keyPair === undefined ? undefined : rendering.link(props.keyPair),
      lifecycle: block({ create_before_destroy: true }),
      metadata_options: block({
        http_endpoint: 'enabled',
        http_protocol_ipv6: props.metadata.ipv6 ? 'enabled' : 'disabled',
        http_put_response_hop_limit: props.metadata.hopLimit,
        http_tokens: props.metadata.tokens,
      }),
      monitoring: block({ enabled: props.detailedMonitoring }),
      name: props.name,
      network_interfaces: block({
        associate_public_ip_address: props.publicIp,
        delete_on_termination: true,
        ipv6_address_count: props.ipv6AddressCount,
        security_groups: props.securityGroups.map(rendering.link),
      }),
      placement: props.tenancy === undefined ? undefined : block({ tenancy: props.tenancy }),
      tag_specifications: blocks(TAGGED_WITH_MACHINE.map((type) => ({ resource_type: type, tags: props.tags }))),
      tags: props.tags,
      user_data: userData(name, props, rendering),
    }),
  ],
  output: (output, name) => attribute('aws_launch_template', name, output === 'version' ? 'latest_version' : output),
};

function userData(
  name: string,
  props: compute.LaunchTemplateProps,
  { link, file, fileBase64 }: Rendering,
): Value | undefined {
  const { apiLoadBalancer, compressed } = props;
  if (props.userData === undefined) return undefined;
  const text = withAuthorityCa(props, props.userData);
  userDataBytes(text, props);
  if (apiLoadBalancer === undefined && compressed !== true)
    return fileBase64('aws_launch_template', name, 'user_data', text);
  const read = file('aws_launch_template', name, 'user_data', text);
  const encode = compressed === true ? 'base64gzip' : 'base64encode';
  if (apiLoadBalancer === undefined) return expression(`${encode}(${read.text})`);
  const loadBalancer = link(apiLoadBalancer);
  if (!(loadBalancer instanceof Expression)) throw new Error(`the load balancer of ${name} is not a reference`);
  return expression(`${encode}(replace(${read.text}, "${API_LOAD_BALANCER}", ${loadBalancer.text}))`);
}

function spot({ spot: wish }: compute.LaunchTemplateProps): Blocks | undefined {
  if (wish === undefined) return undefined;
  return block({
    market_type: 'spot',
    spot_options: block({
      block_duration_minutes: wish.blockDurationMinutes,
      instance_interruption_behavior: wish.interruptionBehavior,
      max_price: wish.maxPrice,
    }),
  });
}

export const autoscalingGroup: TerraformKind<compute.AutoscalingGroupProps> = {
  resources: (name, props, { link }) => {
    const template = { id: link(props.launchTemplate), version: link(props.launchTemplateVersion) };
    return [
      resource('aws_autoscaling_group', name, {
        capacity_rebalance: props.capacityRebalance,
        enabled_metrics: groupMetrics(props),
        launch_template: props.mixedInstances === undefined ? block(template) : undefined,
        load_balancers: unlessEmpty(props.classicLoadBalancers),
        max_instance_lifetime: props.maxInstanceLifetime,
        max_size: props.maxSize,
        metrics_granularity: '1Minute',
        min_size: props.minSize,
        mixed_instances_policy:
          props.mixedInstances === undefined ? undefined : mixedInstances(props.mixedInstances, template),
        name: props.name,
        protect_from_scale_in: props.protectFromScaleIn,
        suspended_processes: unlessEmpty(props.suspendedProcesses),
        tag: blocks(
          Object.entries(props.tags)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, value]) => ({ key, propagate_at_launch: true, value })),
        ),
        target_group_arns: unlessEmpty(props.targetGroups.map(link)),
        vpc_zone_identifier: props.subnets.map(link),
        warm_pool:
          props.warmPool === undefined
            ? undefined
            : block({ max_group_prepared_capacity: props.warmPool.maxSize, min_size: props.warmPool.minSize }),
      }),
    ];
  },
  output: (_output, name) => attribute('aws_autoscaling_group', name, 'id'),
};

function mixedInstances(
  wish: compute.MixedInstances,
  { id, version }: { readonly id: Body[string]; readonly version: Body[string] },
): Blocks {
  return block({
    instances_distribution: block({
      on_demand_allocation_strategy: wish.onDemandAllocation,
      on_demand_base_capacity: wish.onDemandBase,
      on_demand_percentage_above_base_capacity: wish.onDemandPercentAboveBase,
      spot_allocation_strategy: wish.spotAllocation,
      spot_instance_pools: wish.spotPools,
      spot_max_price: wish.spotMaxPrice,
    }),
    launch_template: block({
      launch_template_specification: block({ launch_template_id: id, version }),
      override: blocks([
        ...wish.machineTypes.map((type) => ({ instance_type: type })),
        ...(wish.requirements === undefined ? [] : [{ instance_requirements: requirements(wish.requirements) }]),
      ]),
    }),
  });
}

function requirements(wish: NonNullable<compute.MixedInstances['requirements']>): Blocks {
  return block({
    excluded_instance_types: wish.excludedTypes,
    burstable_performance: 'included',
    instance_generations: ['current'],
    memory_mib: block({ max: wish.memoryMaxMiB, min: wish.memoryMinMiB ?? 0 }),
    vcpu_count: block({ max: wish.cpuMax, min: wish.cpuMin ?? 0 }),
  });
}

export const lifecycleHook: TerraformKind<compute.LifecycleHookProps> = {
  resources: (name, props, { link }) => [
    resource('aws_autoscaling_lifecycle_hook', name, {
      autoscaling_group_name: link(props.group),
      default_result: props.defaultResult,
      heartbeat_timeout: props.heartbeatSeconds,
      lifecycle_transition: props.transition,
      name: props.name,
    }),
  ],
  output: noOutput,
};
