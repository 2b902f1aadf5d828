import {
  CreateVolumeCommand,
  DeleteVolumeCommand,
  ModifyVolumeCommand,
  paginateDescribeVolumes,
  type Volume,
} from '@aws-sdk/client-ec2';
import { asked, type Ec2Found, ec2Handler } from './ec2-resource.ts';
import { tagsOf } from '../../node/tag-list.ts';

interface FoundVolume extends Ec2Found {
  readonly volume: Volume;
}

// The SDK lists the types of its release; AWS checks the type.
const volumeType = (type: string) => type as NonNullable<Volume['VolumeType']>;

/** A volume of etcd. It is only deleted together with the whole cluster, even if no task wants it. */
export const volumeHandler = ec2Handler<'aws/Volume', FoundVolume>({
  kind: 'aws/Volume',
  noun: 'volume',
  type: 'volume',
  async load(aws, query) {
    const found: FoundVolume[] = [];
    for await (const page of paginateDescribeVolumes({ client: aws.ec2 }, asked(query, 'VolumeIds'))) {
      for (const volume of page.Volumes ?? []) {
        found.push({ id: volume.VolumeId ?? '', tags: tagsOf(volume.Tags), volume });
      }
    }
    return found;
  },
  isGone: ({ volume }) => volume.State === 'deleting' || volume.State === 'deleted',
  fixed: ['zone', 'encrypted', 'kmsKey'],
  wanted: ({ zone, sizeGiB, type, iops, throughput, encrypted, kmsKey }) => ({
    zone,
    sizeGiB,
    type,
    encrypted,
    ...(iops === undefined ? {} : { iops }),
    ...(throughput === undefined ? {} : { throughput }),
    ...(kmsKey === undefined ? {} : { kmsKey }),
  }),
  present: ({ volume }, { iops, throughput, kmsKey }) => ({
    zone: volume.AvailabilityZone ?? '',
    sizeGiB: volume.Size ?? 0,
    type: volume.VolumeType ?? '',
    encrypted: volume.Encrypted ?? false,
    ...(iops === undefined || volume.Iops === undefined ? {} : { iops: volume.Iops }),
    ...(throughput === undefined || volume.Throughput === undefined ? {} : { throughput: volume.Throughput }),
    ...(kmsKey === undefined || volume.KmsKeyId === undefined ? {} : { kmsKey: volume.KmsKeyId }),
  }),
  async create({ zone, sizeGiB, type, iops, throughput, encrypted, kmsKey }, aws, TagSpecifications) {
    const { VolumeId } = await aws.ec2Once.send(
      new CreateVolumeCommand({
        AvailabilityZone: zone,
        Size: sizeGiB,
        VolumeType: volumeType(type),
        Encrypted: encrypted,
        ...(iops === undefined ? {} : { Iops: iops }),
        ...(throughput === undefined ? {} : { Throughput: throughput }),
        ...(kmsKey === undefined ? {} : { KmsKeyId: kmsKey }),
        TagSpecifications,
      }),
    );
    return VolumeId;
  },
  async update({ sizeGiB, type, iops, throughput }, { id }, _changes, aws) {
    await aws.ec2.send(
      new ModifyVolumeCommand({
        VolumeId: id,
        Size: sizeGiB,
        VolumeType: volumeType(type),
        ...(iops === undefined ? {} : { Iops: iops }),
        ...(throughput === undefined ? {} : { Throughput: throughput }),
      }),
    );
  },
  keep: () => true,
  remove: async (VolumeId, aws) => {
    await aws.ec2.send(new DeleteVolumeCommand({ VolumeId }));
  },
});
