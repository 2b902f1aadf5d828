import type { Resource, TerraformKind } from '@kopsctl/model/terraform/kind.ts';
import { attribute, data, noOutput, resource } from '@kopsctl/model/terraform/resource.ts';
import { block, blocks, expression } from '@kopsctl/model/terraform/value.ts';
import type * as network from '../kinds/network.ts';

/** How the provider refers to a network that exists: by name in its own project, otherwise by path. */
export const googleNetwork = (ownProject: string): TerraformKind<network.NetworkProps> => ({
  resources: (name, props) =>
    'sharedName' in props
      ? []
      : [resource('google_compute_network', name, { auto_create_subnetworks: false, name: props.name })],
  output: (_output, name, props) => {
    if (!('sharedName' in props)) return attribute('google_compute_network', name, 'name');
    const { project, sharedName } = props;
    return project === ownProject ? sharedName : `projects/${project}/global/networks/${sharedName}`;
  },
});

export const googleSubnetwork = (ownProject: string): TerraformKind<network.SubnetworkProps> => ({
  resources: (name, props, { link }) =>
    'sharedName' in props
      ? rangesThere(name, props)
      : [
          resource('google_compute_subnetwork', name, {
            ip_cidr_range: props.cidr,
            ipv6_access_type: props.stack === 'IPV4_IPV6' ? 'EXTERNAL' : undefined,
            name: props.name,
            network: link(props.network),
            project: props.project,
            region: props.region,
            secondary_ip_range: blocks(
              Object.entries(props.secondaryRanges).map(([range, cidr]) => ({
                ip_cidr_range: cidr,
                range_name: range,
              })),
            ),
            stack_type: props.stack,
          }),
        ],
  output: (_output, name, props) => {
    if (!('sharedName' in props)) {
      // A name alone refers to the provider's project.
      return attribute('google_compute_subnetwork', name, props.project === undefined ? 'name' : 'id');
    }
    const { project, region, sharedName } = props;
    return project === ownProject ? sharedName : `projects/${project}/regions/${region}/subnetworks/${sharedName}`;
  },
});

/** No resource adds ranges to a subnet of others, so the person who plans is asked to add what machines will need. */
function rangesThere(
  name: string,
  { sharedName, project, region, secondaryRanges }: Extract<network.SubnetworkProps, { readonly sharedName: string }>,
): readonly Resource[] {
  const ranges = Object.entries(secondaryRanges).map(([range, cidr]) => `${range}=${cidr}`);
  if (ranges.length === 0) return [];
  const command = `gcloud compute networks subnets update ${sharedName} --project ${project} --region ${region} --add-secondary-ranges ${ranges.join(',')}`;
  const there = '[for range in self.secondary_ip_range : format("%s=%s", range.range_name, range.ip_cidr_range)]';
  const postconditions = ranges.map((range) => ({
    condition: expression(`contains(${there}, "${range}")`),
    error_message: `The subnet ${sharedName} lacks the range ${range}. Add what is missing: ${command}.`,
  }));
  return [
    data('google_compute_subnetwork', name, {
      lifecycle: block({ postcondition: blocks(postconditions) }),
      name: sharedName,
      project,
      region,
    }),
  ];
}

export const router: TerraformKind<network.RouterProps> = {
  resources: (name, props, { link }) => [
    resource('google_compute_router', name, {
      name: props.name,
      network: link(props.network),
      project: props.project,
    }),
    resource('google_compute_router_nat', name, {
      name: props.name,
      nat_ip_allocate_option: 'AUTO_ONLY',
      project: props.project,
      region: props.region,
      router: attribute('google_compute_router', name, 'name'),
      source_subnetwork_ip_ranges_to_nat: 'LIST_OF_SUBNETWORKS',
      subnetwork: blocks(
        props.subnetworks.map((subnetwork) => ({
          name: link(subnetwork),
          source_ip_ranges_to_nat: ['ALL_IP_RANGES'],
        })),
      ),
    }),
  ],
  output: noOutput,
};

export const firewall: TerraformKind<network.FirewallProps> = {
  resources: (name, props, { link }) => [
    resource('google_compute_firewall', name, {
      allow: blocks(props.allow.map(({ protocol, ports }) => ({ ports, protocol }))),
      disabled: props.disabled,
      name: props.name,
      network: link(props.network),
      project: props.project,
      source_ranges: props.sourceRanges,
      source_tags: props.sourceTags,
      target_tags: props.targetTags,
    }),
  ],
  output: noOutput,
};

export const address: TerraformKind<network.AddressProps> = {
  resources: (name, { subnetwork, name: ownName }, { link }) => [
    resource('google_compute_address', name, {
      name: ownName,
      ...(subnetwork !== undefined && {
        address_type: 'INTERNAL',
        purpose: 'SHARED_LOADBALANCER_VIP',
        subnetwork: link(subnetwork),
      }),
    }),
  ],
  output: (_output, name) => attribute('google_compute_address', name, 'address'),
};
