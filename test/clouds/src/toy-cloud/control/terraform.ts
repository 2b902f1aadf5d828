import { terraformFolder } from '@kopsctl/model/terraform/configuration.ts';
import type { Resource, TerraformKind } from '@kopsctl/model/terraform/kind.ts';
import type { TerraformTarget } from '@kopsctl/model/terraform/target.ts';
import { terraformName } from '@kopsctl/model/terraform/terraform-name.ts';
import { block, type Body, expression } from '@kopsctl/model/terraform/value.ts';
import type { MachineProps, NetworkProps, VolumeProps } from './kinds.ts';

const resource = (type: string, name: string, body: Body): readonly Resource[] => [
  { mode: 'resource', type, name: terraformName(name), body },
];
const attribute = (type: string, name: string, field: string) => expression(`${type}.${terraformName(name)}.${field}`);

const network: TerraformKind<NetworkProps> = {
  resources: (name, { cidr, tags }) => resource('toy_network', name, { cidr, tags }),
  output: (_output, name) => attribute('toy_network', name, 'id'),
};

const volume: TerraformKind<VolumeProps> = {
  resources: (name, { zone, sizeGiB, tags }) => resource('toy_volume', name, { name, zone, size: sizeGiB, tags }),
  output: (_output, name) => attribute('toy_volume', name, 'id'),
};

const machine: TerraformKind<MachineProps> = {
  resources: (name, props, { link, file }) =>
    resource('toy_machine', name, {
      name,
      image: props.image,
      machine_type: props.machineType,
      network: link(props.network),
      tags: props.tags,
      user_data: file('toy_machine', name, 'user_data', props.userData),
      zone: props.zone,
    }),
  output: (output, name) => attribute('toy_machine', name, output),
};

const KINDS = { 'toy/Network': network, 'toy/Volume': volume, 'toy/Machine': machine };

/** Clusters in the toy cloud for Terraform. The files that machines read go to the state store at once. */
export const toyTerraform: TerraformTarget = {
  writesFile: () => false,
  render: (_cluster, tasks, isWritten) =>
    terraformFolder({
      tasks,
      isWritten,
      kinds: KINDS,
      blocks: [
        {
          type: 'terraform',
          labels: [],
          body: { required_providers: block({ toy: { source: 'example.com/test/toy' } }) },
        },
      ],
    }),
};
