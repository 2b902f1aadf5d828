import { tagList } from '../../node/tag-list.ts';
import { attachedGateways } from './attached-gateways.ts';
import { type CfnKinds, getAtt, logicalId, ref } from './kind.ts';
import { HEALTH_CHECK_SECONDS, isZoneId, TARGET_GROUP_ATTRIBUTES } from '../defaults.ts';

const zoneParameter = (zone: string): string => logicalId('HostedZone', zone);

export const trafficKinds: Pick<
  CfnKinds,
  | 'aws/LoadBalancer'
  | 'aws/TargetGroup'
  | 'aws/Listener'
  | 'aws/HostedZone'
  | 'aws/HostedZoneAssociation'
  | 'aws/DnsRecord'
  | 'aws/ReservedNames'
  | 'aws/PublicFile'
  | 'aws/Queue'
  | 'aws/EventRule'
  | 'aws/EventTarget'
> = {
  'aws/LoadBalancer': {
    left: ({ leadsMachines, name }) =>
      leadsMachines
        ? `the private addresses of the load balancer ${name} in user-data (workers reach the API at its public ones)`
        : undefined,
    resources: (_name, props, rendering) => [
      {
        type: 'AWS::ElasticLoadBalancingV2::LoadBalancer',
        properties: {
          Name: props.name,
          Type: 'network',
          Scheme: props.internal ? 'internal' : 'internet-facing',
          IpAddressType: props.dualStack ? 'dualstack' : 'ipv4',
          SecurityGroups: props.securityGroups,
          SubnetMappings: props.subnets.map(({ subnet, allocationId, privateAddress }) => ({
            SubnetId: subnet,
            AllocationId: allocationId,
            PrivateIPv4Address: privateAddress,
          })),
          LoadBalancerAttributes: tagList({
            'load_balancing.cross_zone.enabled': String(props.crossZone),
            ...(props.accessLog === undefined
              ? {}
              : {
                  'access_logs.s3.enabled': 'true',
                  'access_logs.s3.bucket': props.accessLog.bucket,
                  ...(props.accessLog.prefix === undefined ? {} : { 'access_logs.s3.prefix': props.accessLog.prefix }),
                }),
          }),
          Tags: tagList(props.tags),
        },
        after: props.internal ? [] : attachedGateways(rendering),
      },
    ],
    output: (output, id) => {
      // CloudFormation does not tell private addresses: a direct update puts them in the place of the name.
      if (output === 'dnsName' || output === 'addresses') return getAtt(id, 'DNSName');
      return output === 'zoneId' ? getAtt(id, 'CanonicalHostedZoneID') : ref(id);
    },
  },
  'aws/TargetGroup': {
    resources: (_name, props) =>
      'sharedId' in props
        ? []
        : [
            {
              type: 'AWS::ElasticLoadBalancingV2::TargetGroup',
              properties: {
                Name: props.name,
                VpcId: props.vpc,
                Protocol: props.protocol,
                Port: props.port,
                TargetType: 'instance',
                HealthCheckProtocol: props.healthPath === undefined ? 'TCP' : 'HTTPS',
                HealthCheckPath: props.healthPath,
                HealthCheckIntervalSeconds: HEALTH_CHECK_SECONDS,
                HealthyThresholdCount: 2,
                UnhealthyThresholdCount: 2,
                TargetGroupAttributes: tagList(TARGET_GROUP_ATTRIBUTES),
                Tags: tagList(props.tags),
              },
            },
          ],
    output: (_output, id, props) => ('sharedId' in props ? props.sharedId : ref(id)),
  },
  'aws/Listener': {
    resources: (_name, props) => [
      {
        type: 'AWS::ElasticLoadBalancingV2::Listener',
        properties: {
          LoadBalancerArn: props.loadBalancer,
          Port: props.port,
          Protocol: props.protocol,
          Certificates: props.certificate === undefined ? undefined : [{ CertificateArn: props.certificate }],
          SslPolicy: props.sslPolicy,
          DefaultActions: [{ Type: 'forward', TargetGroupArn: props.targetGroup }],
        },
      },
    ],
  },
  'aws/HostedZone': {
    parameters: ({ zone }) =>
      isZoneId(zone)
        ? []
        : [
            {
              id: zoneParameter(zone),
              type: 'AWS::Route53::HostedZone::Id',
              description: `The id of the hosted zone ${zone}`,
            },
          ],
    resources: () => [],
    output: (output, _id, { zone }) => {
      if (output === 'id') return isZoneId(zone) ? zone : ref(zoneParameter(zone));
      const id = isZoneId(zone) ? zone : `\${${zoneParameter(zone)}}`;
      return { 'Fn::Sub': `arn:\${AWS::Partition}:route53:::hostedzone/${id}` };
    },
  },
  'aws/HostedZoneAssociation': {
    // CloudFormation associates a VPC only with a zone that the same stack creates.
    left: (_props, name) => `the association of the private hosted zone with the VPC (${name})`,
    resources: () => [],
  },
  'aws/DnsRecord': {
    resources: (_name, { zone, name, type, alias }) => [
      {
        type: 'AWS::Route53::RecordSet',
        properties: {
          HostedZoneId: zone,
          Name: `${name}.`,
          Type: type,
          AliasTarget: { DNSName: alias.name, HostedZoneId: alias.zoneId, EvaluateTargetHealth: false },
        },
      },
    ],
  },
  // Machines create these records themselves, and a stack would revert what they write.
  'aws/ReservedNames': { resources: () => [] },
  // CloudFormation puts nothing into buckets.
  'aws/PublicFile': { left: ({ bucket, key }) => `s3://${bucket}/${key}`, resources: () => [] },
  'aws/Queue': {
    resources: (taskName, { name, retentionSeconds, policy, tags }, { idOf, token }) => [
      {
        type: 'AWS::SQS::Queue',
        properties: { QueueName: name, MessageRetentionPeriod: retentionSeconds, Tags: tagList(tags) },
      },
      {
        part: 'Policy',
        type: 'AWS::SQS::QueuePolicy',
        properties: { Queues: [token(ref(idOf('aws/Queue', taskName)))], PolicyDocument: policy },
      },
    ],
    output: (output, id) => (output === 'arn' ? getAtt(id, 'Arn') : ref(id)),
  },
  'aws/EventRule': {
    resources: (name, props, { tasks, token, idOf }) => {
      const self = token(ref(idOf('aws/EventRule', name)));
      const targets = tasks('aws/EventTarget').filter(({ props: { rule } }) => rule === self);
      return [
        {
          type: 'AWS::Events::Rule',
          properties: {
            Name: props.name,
            EventPattern: props.pattern,
            State: 'ENABLED',
            Targets: targets.map(({ props: { target } }, index) => ({ Id: String(index + 1), Arn: target })),
            Tags: tagList(props.tags),
          },
        },
      ];
    },
  },
  // The targets are part of the rule.
  'aws/EventTarget': { resources: () => [] },
};
