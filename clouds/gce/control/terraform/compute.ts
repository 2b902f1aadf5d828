import { API_LOAD_BALANCER, AUTHORITY_CA } from '@kopsctl/node-plan/boot-config.ts';
import type { Rendering, TerraformKind } from '@kopsctl/model/terraform/kind.ts';
import { attribute, noOutput, resource } from '@kopsctl/model/terraform/resource.ts';
import { block, blocks, Expression, expression, unlessEmpty, type Value } from '@kopsctl/model/terraform/value.ts';
import type * as compute from '../kinds/compute.ts';
import { bootDisk } from '../boot-disk.ts';

const TEMPLATE = 'google_compute_instance_template';

export const disk: TerraformKind<compute.DiskProps> = {
  resources: (name, props) => [
    resource('google_compute_disk', name, {
      labels: props.labels,
      name: props.name,
      provisioned_iops: props.iops,
      provisioned_throughput: props.throughput,
      size: props.sizeGb,
      type: props.type,
      zone: props.zone,
    }),
  ],
  output: noOutput,
};

export const instanceTemplate: TerraformKind<compute.InstanceTemplateProps> = {
  resources: (name, props, rendering) => [
    resource(TEMPLATE, name, {
      can_ip_forward: props.canIpForward,
      disk: block({
        auto_delete: true,
        boot: true,
        device_name: bootDisk.deviceName,
        // kops writes what is not set as well.
        disk_name: '',
        disk_size_gb: props.rootDisk.sizeGb,
        disk_type: props.rootDisk.type,
        interface: '',
        mode: bootDisk.mode,
        provisioned_iops: props.rootDisk.iops ?? 0,
        provisioned_throughput: props.rootDisk.throughput ?? 0,
        source: '',
        source_image: props.image,
        type: bootDisk.type,
      }),
      guest_accelerator: blocks(props.accelerators.map(({ type, count }) => ({ count, type }))),
      labels: props.labels,
      lifecycle: block({ create_before_destroy: true }),
      machine_type: props.machineType,
      metadata: metadata(name, props, rendering),
      name_prefix: props.namePrefix,
      network_interface: block({
        access_config: props.publicIp ? block({}) : undefined,
        alias_ip_range:
          props.podRange &&
          block({
            ip_cidr_range: `/${props.podRange.prefixLength}`,
            subnetwork_range_name: props.podRange.name,
          }),
        ipv6_access_config: props.stack === 'IPV4_IPV6' ? block({ network_tier: 'PREMIUM' }) : undefined,
        network: rendering.link(props.network),
        stack_type: props.stack,
        subnetwork: rendering.link(props.subnetwork),
      }),
      scheduling: block({
        automatic_restart: !props.spot,
        on_host_maintenance: props.movable ? 'MIGRATE' : 'TERMINATE',
        preemptible: props.spot,
        provisioning_model: props.spot ? 'SPOT' : 'STANDARD',
      }),
      service_account: block({ email: rendering.link(props.account), scopes: props.scopes }),
      tags: props.tags,
    }),
  ],
  output: (_output, name) => attribute(TEMPLATE, name, 'self_link'),
};

/** A value with several lines is in a file of its own. */
function metadata(
  name: string,
  props: compute.InstanceTemplateProps,
  rendering: Rendering,
): { readonly [key: string]: Value } {
  const { boot } = props;
  const written = Object.entries(props.metadata).map(([key, text]): readonly [string, Value] => [
    key,
    text.includes('\n') ? rendering.file(TEMPLATE, name, `metadata_${key}`, text) : text,
  ]);
  return {
    ...Object.fromEntries(written),
    ...(boot !== undefined && { [boot.key]: bootScript(name, props, boot, rendering) }),
  };
}

/** The script, in which values that exist only once other resources exist replace their placeholders. */
function bootScript(
  name: string,
  { apiLoadBalancer, authorityCa }: compute.InstanceTemplateProps,
  { key, text }: { readonly key: string; readonly text: string },
  { file, link }: Rendering,
): Expression {
  if (authorityCa !== undefined && typeof authorityCa !== 'string') {
    throw new Error('the CA of node authorities was not read from the state store');
  }
  const withCa = authorityCa === undefined ? text : text.replaceAll(AUTHORITY_CA, authorityCa);
  const read = file(TEMPLATE, name, `metadata_${key}`, withCa);
  if (apiLoadBalancer === undefined) return read;
  const address = link(apiLoadBalancer);
  if (!(address instanceof Expression)) throw new Error(`the load balancer of ${name} is not a reference`);
  return expression(`replace(${read.text}, "${API_LOAD_BALANCER}", ${address.text})`);
}

export const instanceGroupManager: TerraformKind<compute.InstanceGroupManagerProps> = {
  resources: (name, props, { link }) => [
    resource('google_compute_instance_group_manager', name, {
      base_instance_name: props.baseInstanceName,
      // Otherwise, each apply would undo the scaling of the group.
      lifecycle:
        props.isScaledByOthers || props.largestSize > props.targetSize
          ? block({ ignore_changes: [expression('target_size')] })
          : undefined,
      list_managed_instances_results: 'PAGINATED',
      name: props.name,
      target_pools: unlessEmpty(props.targetPools.map(link)),
      target_size: props.targetSize,
      // A new template replaces no machine: that is the task of a rolling update.
      update_policy: block({ minimal_action: 'REPLACE', type: 'OPPORTUNISTIC' }),
      version: block({ instance_template: link(props.template) }),
      zone: props.zone,
    }),
  ],
  output: (_output, name) => attribute('google_compute_instance_group_manager', name, 'instance_group'),
};
