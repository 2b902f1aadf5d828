import type { CloudVolume } from '@kopsctl/node-cloud/node-cloud.ts';
import type { Tags } from './tag-list.ts';
import { CLUSTER_TAG } from './ownership.ts';
import { isOfCluster, readTags } from './instances.ts';
import { type Element, itemsAt, textAt } from './xml.ts';

/** Marks the volume of an etcd member; followed by the name of the etcd cluster. */
const ETCD_TAG_PREFIX = 'k8s.io/etcd/';

export interface Attachment {
  readonly instanceId: string;
  /** The name of the attachment, `/dev/xvdu`; the machine may use another. */
  readonly device: string;
  /** attaching, attached, busy, detaching */
  readonly state: string;
}

/** A volume, as EC2 describes it. */
export interface Ec2Volume {
  readonly id: string;
  readonly sizeGiB: number;
  readonly zone: string;
  readonly state: string;
  readonly tags: Tags;
  readonly attachments: readonly Attachment[];
}

/** Filters for the volumes of etcd members of a cluster. */
export const volumeFilters = (cluster: string) => ({
  [`tag:${CLUSTER_TAG}`]: [cluster],
  'tag-key': [`${ETCD_TAG_PREFIX}*`],
});

/** The volumes in a response of DescribeVolumes. */
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

/**
 * Whether it is a usable volume of an etcd member of the cluster. Checked in every response, whatever the filters were.
 */
export const isEtcdVolumeOf = (cluster: string, { tags, state }: Ec2Volume): boolean =>
  isOfCluster(cluster, tags) &&
  Object.keys(tags).some((key) => key.startsWith(ETCD_TAG_PREFIX)) &&
  (state === 'available' || state === 'in-use');

export interface VolumeView {
  readonly cluster: string;
  /** This machine. */
  readonly instanceId: string;
  /** The name inside this machine of a volume that is attached to it. */
  readonly deviceHere: (volumeId: string, attachedAs: string) => string;
  /** The addresses of the machines of the cluster, by instance. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** Selects the etcd volumes of the cluster, as this machine sees them. */
export function volumesAmong(volumes: readonly Ec2Volume[], view: VolumeView): readonly CloudVolume[] {
  return volumes
    .filter((volume) => isEtcdVolumeOf(view.cluster, volume))
    .map(({ id, sizeGiB, zone, tags, attachments }) => {
      // Volumes with multi-attach can have several holders; a volume is only ours if no other machine holds it.
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
