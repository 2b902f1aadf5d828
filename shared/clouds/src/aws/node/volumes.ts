import type { CloudVolume } from '../../node-cloud.ts';
import type { Tags } from '../kinds/output.ts';
import { CLUSTER_TAG } from '../ownership.ts';
import { isOfCluster, readTags } from './instances.ts';
import { type Element, itemsAt, textAt } from './xml.ts';

/** Marks a volume as a member's of the etcd cluster whose name follows. */
const ETCD_TAG_PREFIX = 'k8s.io/etcd/';

export interface Attachment {
  readonly instanceId: string;
  /** The name it was attached under, `/dev/xvdu`; what the machine calls it may differ. */
  readonly device: string;
  /** attaching, attached, busy, detaching */
  readonly state: string;
}

/** What EC2 tells of a volume. */
export interface Ec2Volume {
  readonly id: string;
  readonly sizeGiB: number;
  readonly zone: string;
  readonly state: string;
  readonly tags: Tags;
  readonly attachments: readonly Attachment[];
}

/** What finds the volumes that members of a cluster's etcd clusters live on. */
export const volumeFilters = (cluster: string) => ({
  [`tag:${CLUSTER_TAG}`]: [cluster],
  'tag-key': [`${ETCD_TAG_PREFIX}*`],
});

/** The volumes of an answer of DescribeVolumes. */
export function readVolumes(volumes: readonly Element[]): readonly Ec2Volume[] {
  return volumes.map((volume) => ({
    id: textAt(volume, 'volumeId'),
    sizeGiB: Number(textAt(volume, 'size')),
    zone: textAt(volume, 'availabilityZone'),
    state: textAt(volume, 'status'),
    tags: readTags(volume),
    attachments: itemsAt(volume, 'attachmentSet')
      .map((one) => ({
        instanceId: textAt(one, 'instanceId'),
        device: textAt(one, 'device'),
        state: textAt(one, 'status'),
      }))
      .filter(({ state }) => state !== 'detached'),
  }));
}

/** Whether it is a member's volume of the cluster and can be used: asked of every answer, whatever was asked for. */
export const isEtcdVolumeOf = (cluster: string, { tags, state }: Ec2Volume): boolean =>
  isOfCluster(cluster, tags) &&
  Object.keys(tags).some((key) => key.startsWith(ETCD_TAG_PREFIX)) &&
  (state === 'available' || state === 'in-use');

export interface VolumeView {
  readonly cluster: string;
  /** This machine. */
  readonly instanceId: string;
  /** What this machine calls a volume that is attached to it. */
  readonly deviceHere: (volumeId: string, attachedAs: string) => string;
  /** The addresses of the cluster's machines, by instance. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** The etcd volumes of the cluster among them, as this machine sees them. */
export function volumesAmong(volumes: readonly Ec2Volume[], view: VolumeView): readonly CloudVolume[] {
  return volumes
    .filter((volume) => isEtcdVolumeOf(view.cluster, volume))
    .map(({ id, sizeGiB, zone, tags, attachments }) => {
      // Several machines can hold a volume of a kind that allows it; it is only ours while nobody else does.
      const holder = attachments.find(({ instanceId }) => instanceId !== view.instanceId) ?? attachments[0];
      const held = { id, name: tags['Name'] ?? id, sizeGiB, zone, tags };
      if (holder === undefined) return held;
      const { instanceId, device } = holder;
      const isHere = instanceId === view.instanceId;
      return {
        ...held,
        attachedTo: {
          instanceId,
          address: view.addresses.get(instanceId) ?? '',
          device: isHere ? view.deviceHere(id, device) : device,
        },
      };
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
