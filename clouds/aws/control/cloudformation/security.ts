import { tagList } from '../../node/tag-list.ts';
import { hasPorts } from '../protocols.ts';
import { type CfnKinds, getAtt, ref } from './kind.ts';

export const securityKinds: Pick<
  CfnKinds,
  | 'aws/SecurityGroup'
  | 'aws/SecurityGroupRule'
  | 'aws/KeyPair'
  | 'aws/IamRole'
  | 'aws/IamRolePolicy'
  | 'aws/IamRolePolicyAttachment'
  | 'aws/InstanceProfile'
  | 'aws/OidcProvider'
> = {
  'aws/SecurityGroup': {
    resources: (_name, props) =>
      'sharedId' in props
        ? []
        : [
            {
              type: 'AWS::EC2::SecurityGroup',
              properties: {
                GroupName: props.name,
                GroupDescription: props.description,
                VpcId: props.vpc,
                Tags: tagList(props.tags),
              },
            },
          ],
    output: (_output, id, props) => ('sharedId' in props ? props.sharedId : getAtt(id, 'GroupId')),
  },
  'aws/SecurityGroupRule': {
    resources: (_name, props) => {
      const isIngress = props.direction === 'ingress';
      return [
        {
          type: isIngress ? 'AWS::EC2::SecurityGroupIngress' : 'AWS::EC2::SecurityGroupEgress',
          properties: {
            GroupId: props.securityGroup,
            IpProtocol: props.protocol,
            ...(hasPorts(props.protocol) ? { FromPort: props.fromPort, ToPort: props.toPort } : {}),
            CidrIp: props.cidr,
            CidrIpv6: props.ipv6Cidr,
            [isIngress ? 'SourcePrefixListId' : 'DestinationPrefixListId']: props.prefixList,
            [isIngress ? 'SourceSecurityGroupId' : 'DestinationSecurityGroupId']: props.sourceGroup,
          },
        },
      ];
    },
  },
  'aws/KeyPair': {
    resources: (_name, { name, publicKey, tags }) => [
      {
        type: 'AWS::EC2::KeyPair',
        properties: { KeyName: name, PublicKeyMaterial: publicKey.trim(), Tags: tagList(tags) },
      },
    ],
  },
  'aws/IamRole': {
    resources: (name, props, { tasks, token, idOf }) => {
      // The role itself lists its managed policies.
      const self = token(ref(idOf('aws/IamRole', name)));
      const managed = tasks('aws/IamRolePolicyAttachment')
        .filter(({ props: { role } }) => role === self || role === props.name)
        .map(({ props: { policyArn } }) => policyArn);
      return [
        {
          type: 'AWS::IAM::Role',
          properties: {
            RoleName: props.name,
            AssumeRolePolicyDocument: props.trust,
            PermissionsBoundary: props.permissionsBoundary,
            ManagedPolicyArns: managed.length === 0 ? undefined : managed,
            Tags: tagList(props.tags),
          },
        },
      ];
    },
    output: (output, id) => (output === 'arn' ? getAtt(id, 'Arn') : ref(id)),
  },
  'aws/IamRolePolicy': {
    resources: (_name, { name, role, policy }) => [
      { type: 'AWS::IAM::RolePolicy', properties: { PolicyName: name, RoleName: role, PolicyDocument: policy } },
    ],
  },
  'aws/IamRolePolicyAttachment': { resources: () => [] },
  'aws/InstanceProfile': {
    left: (props) => ('sharedId' in props ? undefined : `the tags of the instance profile ${props.name}`),
    resources: (_name, props) =>
      'sharedId' in props
        ? []
        : [
            {
              type: 'AWS::IAM::InstanceProfile',
              properties: { InstanceProfileName: props.name, Roles: [props.role] },
            },
          ],
    output: (_output, id, props) => ('sharedId' in props ? props.sharedId : ref(id)),
  },
  'aws/OidcProvider': {
    resources: (_name, { url, clientIds, thumbprints, tags }) => [
      {
        type: 'AWS::IAM::OIDCProvider',
        properties: { Url: url, ClientIdList: clientIds, ThumbprintList: thumbprints, Tags: tagList(tags) },
      },
    ],
  },
};
