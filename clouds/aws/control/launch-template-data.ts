import { gzipSync } from 'node:zlib';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Text } from '@kopsctl/model/output.ts';
import type { RequestLaunchTemplateData } from '@aws-sdk/client-ec2';
import { API_LOAD_BALANCER, AUTHORITY_CA } from '@kopsctl/node-plan/boot-config.ts';
import type { EbsDevice, LaunchTemplateProps } from './kinds/compute.ts';
import type { Resolved } from '@kopsctl/model/resolved.ts';
import { tagList } from '../node/tag-list.ts';
import { TAGGED_WITH_MACHINE } from './defaults.ts';

/** An image and the name of its root device. */
export interface TemplateImage {
  readonly id: string;
  readonly rootDevice: string;
}

/** The system on which gzip ran, in the header of what it wrote (RFC 1952). */
const GZIP_SYSTEM = { at: 9, unknown: 255 } as const;

/** What EC2 takes, before base64. It refuses more only as it launches a machine. */
const MOST_BYTES = 16_384;

/**
 * User data as EC2 takes it, before base64. Every system that plans a cluster writes the same bytes.
 *
 * @throws ActionableError where EC2 takes less
 */
export function userDataBytes(
  userData: string,
  { name, compressed }: Pick<LaunchTemplateProps, 'name' | 'compressed'>,
): Buffer {
  const bytes = compressed === true ? gzipped(userData) : Buffer.from(userData);
  if (bytes.length <= MOST_BYTES) return bytes;
  const shorten = 'shorten spec.additionalUserData of the instance group';
  throw new ActionableError({
    what: `start machines from the launch template ${name}`,
    why: `their user data has ${bytes.length} bytes, and EC2 takes ${MOST_BYTES}`,
    next: compressed === true ? shorten : `set spec.compressUserData: true, or ${shorten}`,
  });
}

function gzipped(userData: string): Buffer {
  const bytes = gzipSync(userData, { level: 9 });
  bytes[GZIP_SYSTEM.at] = GZIP_SYSTEM.unknown;
  return bytes;
}

/**
 * The content of a launch template, in the form that the EC2 API and CloudFormation share.
 *
 * @param options.isStandIn leaves out what servers that emulate EC2 do not support
 */
export function launchTemplateData(
  props: Resolved<LaunchTemplateProps>,
  { image, isStandIn }: { readonly image: TemplateImage; readonly isStandIn: boolean },
): RequestLaunchTemplateData {
  const { spot } = props;
  return {
    ImageId: image.id,
    // The SDK lists the types of its release; AWS checks the type.
    InstanceType: props.machineType as NonNullable<RequestLaunchTemplateData['InstanceType']>,
    ...(props.keyPair === undefined ? {} : { KeyName: props.keyPair }),
    IamInstanceProfile: { Name: props.instanceProfile },
    NetworkInterfaces: [
      {
        DeviceIndex: 0,
        ...(props.publicIp === undefined ? {} : { AssociatePublicIpAddress: props.publicIp }),
        DeleteOnTermination: true,
        ...(props.ipv6AddressCount > 0 ? { Ipv6AddressCount: props.ipv6AddressCount } : {}),
        Groups: [...props.securityGroups],
      },
    ],
    BlockDeviceMappings: [
      { DeviceName: image.rootDevice, Ebs: ebs(props.rootDevice) },
      ...props.devices.flatMap((device): NonNullable<RequestLaunchTemplateData['BlockDeviceMappings']> => {
        if ('ebs' in device) return [{ DeviceName: device.device, Ebs: ebs(device.ebs) }];
        return isStandIn ? [] : [{ DeviceName: device.device, VirtualName: device.ephemeral }];
      }),
    ],
    Monitoring: { Enabled: props.detailedMonitoring },
    ...(props.ebsOptimized === undefined ? {} : { EbsOptimized: props.ebsOptimized }),
    ...(props.cpuCredits === undefined ? {} : { CreditSpecification: { CpuCredits: props.cpuCredits } }),
    ...(props.tenancy === undefined ? {} : { Placement: { Tenancy: props.tenancy as 'dedicated' } }),
    MetadataOptions: {
      HttpEndpoint: 'enabled',
      HttpProtocolIpv6: props.metadata.ipv6 ? 'enabled' : 'disabled',
      HttpPutResponseHopLimit: props.metadata.hopLimit,
      HttpTokens: props.metadata.tokens as 'required',
    },
    ...(spot === undefined
      ? {}
      : {
          InstanceMarketOptions: {
            MarketType: 'spot',
            SpotOptions: {
              ...(spot.maxPrice === undefined ? {} : { MaxPrice: spot.maxPrice }),
              ...(spot.blockDurationMinutes === undefined ? {} : { BlockDurationMinutes: spot.blockDurationMinutes }),
              ...(spot.interruptionBehavior === undefined
                ? {}
                : { InstanceInterruptionBehavior: spot.interruptionBehavior as 'terminate' }),
            },
          },
        }),
    ...(props.userData === undefined
      ? {}
      : {
          UserData: userDataBytes(
            withAuthorityCa(props, props.userData).replaceAll(API_LOAD_BALANCER, props.apiLoadBalancer ?? ''),
            props,
          ).toString('base64'),
        }),
    TagSpecifications: TAGGED_WITH_MACHINE.map((ResourceType) => ({ ResourceType, Tags: tagList(props.tags) })),
  };
}

/** User data that names the CA of the cluster's authorities, which is in the state store before anything is created. */
export function withAuthorityCa({ authorityCa }: { readonly authorityCa?: Text }, userData: string): string {
  if (authorityCa === undefined) return userData;
  if (typeof authorityCa !== 'string') throw new Error('the CA of node authorities was not read from the state store');
  return userData.replaceAll(AUTHORITY_CA, authorityCa);
}

function ebs(device: EbsDevice) {
  return {
    VolumeSize: device.sizeGiB,
    VolumeType: device.type as 'gp3',
    ...(device.iops === undefined ? {} : { Iops: device.iops }),
    ...(device.throughput === undefined ? {} : { Throughput: device.throughput }),
    Encrypted: device.encrypted,
    ...(device.kmsKey === undefined ? {} : { KmsKeyId: device.kmsKey }),
    DeleteOnTermination: device.deleteOnTermination,
  };
}
