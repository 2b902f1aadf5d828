import type { AnswerFields } from '@kopsctl/google/answer-fields.ts';
import type { CloudVolume } from '@kopsctl/node-cloud/node-cloud.ts';
import { decodeLabel, ETCD_LABEL_PREFIX, isOfCluster, type Labels } from './labels.ts';
import type { GceInstance } from './instances.ts';
import { idInUrl, idOf, lastPart } from './resource-name.ts';

/** The tag of a member's volume in clouds with free-form tags; followed by the name of the etcd cluster. */
const ETCD_TAG_PREFIX = 'k8s.io/etcd/';

/** The fields to request of each disk. */
export const DISK_FIELDS = 'name,zone,sizeGb,status,labels,users';

/** A disk, as Compute Engine describes it. */
export interface GceDisk {
  readonly id: string;
  readonly name: string;
  readonly zone: string;
  readonly sizeGiB: number;
  readonly status: string;
  readonly labels: Labels;
  readonly holders: readonly string[];
}

/** Parses a disk (https://cloud.google.com/compute/docs/reference/rest/v1/disks); none if it is regional: etcd uses no such disk. */
export function parseDisk(disk: AnswerFields): readonly GceDisk[] {
  // A URL; regional disks have none.
  const url = disk.text('zone', '');
  if (url === '') return [];
  const [zone, name] = [lastPart(url), disk.text('name')];
  return [
    {
      id: idOf({ zone, name }),
      name,
      zone,
      // A 64-bit number as text.
      sizeGiB: Number(disk.text('sizeGb')),
      status: disk.text('status'),
      labels: disk.textsByName('labels'),
      // The URLs of the instances it is attached to.
      holders: disk.texts('users').map((user) => idInUrl(user) ?? user),
    },
  ];
}

/**
 * Whether it is a usable volume of an etcd member of the cluster. Checked in every response, whatever the filters were.
 */
export const isEtcdDiskOf = (cluster: string, { labels, status }: Pick<GceDisk, 'labels' | 'status'>): boolean =>
  isOfCluster(cluster, labels) &&
  status === 'READY' &&
  Object.keys(labels).some((key) => key.startsWith(ETCD_LABEL_PREFIX));

/** The udev link of a disk on the machine that holds it, by the name of the attachment. */
export const deviceOnMachine = (deviceName: string): string => `/dev/disk/by-id/google-${deviceName}`;

export interface DiskView {
  readonly cluster: string;
  /** This machine. */
  readonly instanceId: string;
  /** The machines of the cluster. */
  readonly instances: readonly GceInstance[];
}

/** Selects the etcd volumes of the cluster, as this machine sees them. */
export function volumesAmong(disks: readonly GceDisk[], view: DiskView): readonly CloudVolume[] {
  const instances = new Map(view.instances.map((instance) => [instance.instanceId, instance]));
  return disks
    .filter((disk) => isEtcdDiskOf(view.cluster, disk))
    .map(({ id, name, sizeGiB, zone, labels, holders }) => {
      // Disks with multi-writer mode can have several holders; a disk is only ours if no other machine holds it.
      const holder = holders.find((instanceId) => instanceId !== view.instanceId) ?? holders[0];
      const seen = { id, name, sizeGiB, zone, tags: tagsOf(labels) };
      if (holder === undefined) return seen;
      const instance = instances.get(holder);
      // The list of machines may be older than the list of disks; agents attach a disk under its own name.
      const device = deviceOnMachine(instance?.deviceNames.get(id) ?? name);
      return { ...seen, attachedTo: { instanceId: holder, address: instance?.address ?? '', device } };
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Labels as tags; those of etcd members have the same form as in other clouds. */
function tagsOf(labels: Labels): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(labels).flatMap(([key, value]) => {
      if (!key.startsWith(ETCD_LABEL_PREFIX)) return [[key, value]];
      const text = decodeLabel(value);
      return text === undefined ? [] : [[ETCD_TAG_PREFIX + key.slice(ETCD_LABEL_PREFIX.length), text]];
    }),
  );
}
