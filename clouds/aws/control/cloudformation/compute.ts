import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { API_LOAD_BALANCER } from '@kopsctl/node-plan/boot-config.ts';
import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { LaunchTemplateProps, MixedInstances } from '../kinds/compute.ts';
import { findImage } from '../image-name.ts';
import { launchTemplateData, withAuthorityCa } from '../launch-template-data.ts';
import { tagList } from '../../node/tag-list.ts';
import { type CfnKinds, getAtt, logicalId, ref } from './kind.ts';
import { groupMetrics } from '../defaults.ts';
import { USUAL_ROOT_DEVICE } from '../root-device.ts';

const imageParameter = (image: string): string => logicalId('Image', image);

export const computeKinds: Pick<
  CfnKinds,
  'aws/Volume' | 'aws/LaunchTemplate' | 'aws/AutoscalingGroup' | 'aws/LifecycleHook'
> = {
  'aws/Volume': {
    resources: (_name, props) => [
      {
        type: 'AWS::EC2::Volume',
        properties: {
          AvailabilityZone: props.zone,
          Size: props.sizeGiB,
          VolumeType: props.type,
          Iops: props.iops,
          Throughput: props.throughput,
          Encrypted: props.encrypted,
          KmsKeyId: props.kmsKey,
          Tags: tagList(props.tags),
        },
      },
    ],
  },
  'aws/LaunchTemplate': {
    parameters: ({ image }) =>
      findImage(image).by === 'name'
        ? [
            {
              id: imageParameter(image),
              type: 'AWS::EC2::Image::Id',
              description: `The id of the image ${image} in this region`,
            },
          ]
        : [],
    resources: (_name, props, { token }) => {
      const image = findImage(props.image);
      const id =
        image.by === 'id'
          ? image.id
          : image.by === 'parameter'
            ? `{{resolve:ssm:${image.parameter}}}`
            : token(ref(imageParameter(props.image)));
      return [
        {
          type: 'AWS::EC2::LaunchTemplate',
          properties: {
            LaunchTemplateName: props.name,
            LaunchTemplateData: {
              ...launchTemplateData(props, {
                image: { id, rootDevice: props.rootDeviceName ?? USUAL_ROOT_DEVICE },
                isStandIn: false,
              }),
              ...(props.apiLoadBalancer === undefined || props.userData === undefined
                ? {}
                : {
                    UserData: token(base64Around(props, withAuthorityCa(props, props.userData), props.apiLoadBalancer)),
                  }),
            },
            TagSpecifications: [{ ResourceType: 'launch-template', Tags: tagList(props.tags) }],
          },
        },
      ];
    },
    output: (output, id) => (output === 'version' ? getAtt(id, 'LatestVersionNumber') : ref(id)),
  },
  'aws/AutoscalingGroup': {
    left: ({ name, suspendedProcesses }) =>
      suspendedProcesses.length === 0 ? undefined : `the suspension of ${suspendedProcesses.join(', ')} of ${name}`,
    resources: (name, props, { idOf, token }) => {
      const template = { LaunchTemplateId: props.launchTemplate, Version: props.launchTemplateVersion };
      return [
        {
          type: 'AWS::AutoScaling::AutoScalingGroup',
          properties: {
            AutoScalingGroupName: props.name,
            MinSize: String(props.minSize),
            MaxSize: String(props.maxSize),
            VPCZoneIdentifier: props.subnets,
            LaunchTemplate: props.mixedInstances === undefined ? template : undefined,
            MixedInstancesPolicy:
              props.mixedInstances === undefined ? undefined : mixedInstances(props.mixedInstances, template),
            TargetGroupARNs: props.targetGroups.length === 0 ? undefined : props.targetGroups,
            LoadBalancerNames: props.classicLoadBalancers.length === 0 ? undefined : props.classicLoadBalancers,
            NewInstancesProtectedFromScaleIn: props.protectFromScaleIn,
            CapacityRebalance: props.capacityRebalance,
            MaxInstanceLifetime: props.maxInstanceLifetime,
            MetricsCollection: [{ Granularity: '1Minute', Metrics: groupMetrics(props) }],
            Tags: tagList(props.tags).map((tag) => ({ ...tag, PropagateAtLaunch: true })),
          },
        },
        ...(props.warmPool === undefined
          ? []
          : [
              {
                part: 'WarmPool',
                type: 'AWS::AutoScaling::WarmPool',
                properties: {
                  AutoScalingGroupName: token(ref(idOf('aws/AutoscalingGroup', name))),
                  MinSize: props.warmPool.minSize,
                  MaxGroupPreparedCapacity: props.warmPool.maxSize,
                },
              },
            ]),
      ];
    },
  },
  'aws/LifecycleHook': {
    resources: (_name, props) => [
      {
        type: 'AWS::AutoScaling::LifecycleHook',
        properties: {
          AutoScalingGroupName: props.group,
          LifecycleHookName: props.name,
          LifecycleTransition: props.transition,
          DefaultResult: props.defaultResult,
          HeartbeatTimeout: props.heartbeatSeconds,
        },
      },
    ],
  },
};

function mixedInstances(wish: MixedInstances, template: object) {
  const { requirements } = wish;
  return {
    InstancesDistribution: {
      OnDemandAllocationStrategy: wish.onDemandAllocation,
      OnDemandBaseCapacity: wish.onDemandBase,
      OnDemandPercentageAboveBaseCapacity: wish.onDemandPercentAboveBase,
      SpotAllocationStrategy: wish.spotAllocation,
      SpotInstancePools: wish.spotPools,
      SpotMaxPrice: wish.spotMaxPrice === '' ? undefined : wish.spotMaxPrice,
    },
    LaunchTemplate: {
      LaunchTemplateSpecification: template,
      Overrides: [
        ...wish.machineTypes.map((InstanceType) => ({ InstanceType })),
        ...(requirements === undefined
          ? []
          : [
              {
                InstanceRequirements: {
                  VCpuCount: { Min: requirements.cpuMin ?? 0, Max: requirements.cpuMax },
                  MemoryMiB: { Min: requirements.memoryMinMiB ?? 0, Max: requirements.memoryMaxMiB },
                  BurstablePerformance: 'included',
                  InstanceGenerations: ['current'],
                  ExcludedInstanceTypes: requirements.excludedTypes,
                },
              },
            ]),
      ],
    },
  };
}

/** User data with the name of the load balancer, which is known only when the stack is created. */
function base64Around(
  { name, compressed }: Pick<LaunchTemplateProps, 'name' | 'compressed'>,
  userData: string,
  loadBalancer: string,
): JsonObject {
  if (compressed === true) {
    throw new ActionableError({
      what: `write the launch template ${name} for CloudFormation`,
      why: 'CloudFormation cannot compress user data, and this user data names a load balancer that the stack creates',
      next: 'remove spec.compressUserData of the instance group, or use the target terraform or direct',
    });
  }
  const parts = userData
    .split(API_LOAD_BALANCER)
    .flatMap((part, index) => (index === 0 ? [part] : [loadBalancer, part]));
  return { 'Fn::Base64': { 'Fn::Join': ['', parts] } };
}
