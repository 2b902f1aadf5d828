import type { TerraformKind } from '@kopsctl/model/terraform/kind.ts';
import type * as security from '../kinds/security.ts';
import { attribute, noOutput, resource } from '@kopsctl/model/terraform/resource.ts';

export const securityGroup: TerraformKind<security.SecurityGroupProps> = {
  resources: (name, props, { link }) =>
    'sharedId' in props
      ? []
      : [
          resource('aws_security_group', name, {
            description: props.description,
            name: props.name,
            tags: props.tags,
            vpc_id: link(props.vpc),
          }),
        ],
  output: (_output, name, props) =>
    'sharedId' in props ? props.sharedId : attribute('aws_security_group', name, 'id'),
};

export const securityGroupRule: TerraformKind<security.SecurityGroupRuleProps> = {
  resources: (name, props, { link }) => [
    resource('aws_security_group_rule', name, {
      cidr_blocks: props.cidr === undefined ? undefined : [props.cidr],
      from_port: props.fromPort,
      ipv6_cidr_blocks: props.ipv6Cidr === undefined ? undefined : [props.ipv6Cidr],
      prefix_list_ids: props.prefixList === undefined ? undefined : [props.prefixList],
      protocol: props.protocol,
      security_group_id: link(props.securityGroup),
      source_security_group_id: props.sourceGroup === undefined ? undefined : link(props.sourceGroup),
      to_port: props.toPort,
      type: props.direction,
    }),
  ],
  output: noOutput,
};

export const keyPair: TerraformKind<security.KeyPairProps> = {
  resources: (name, props, { file }) => [
    resource('aws_key_pair', name, {
      key_name: props.name,
      public_key: file('aws_key_pair', name, 'public_key', props.publicKey),
      tags: props.tags,
    }),
  ],
  output: (_output, name) => attribute('aws_key_pair', name, 'id'),
};
