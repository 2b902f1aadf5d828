import type { CloudVolume } from '../../node-cloud.ts';
import { decodeLabel, ETCD_LABEL_PREFIX, isOfCluster, type Labels } from '../labels.ts';
import type { GceInstance } from './instances.ts';
import { idInUrl, idOf, lastPart } from './resource-name.ts';

/** The tag of a member's volume in clouds whose tags take any text; the name of the etcd cluster follows. */
const ETCD_TAG_PREFIX = 'k8s.io/etcd/';

/** What is asked for of each disk. */
export const DISK_FIELDS = 'name,zone,sizeGb,status,labels,users';

/** https://cloud.google.com/compute/docs/reference/rest/v1/disks, the parts that are used. */
export interface DiskAnswer {
  readonly name: string;
  /** A URL; regional disks have none. */
  readonly zone?: string;
  /** A number as text: 64 bits. */
  readonly sizeGb: string;
  readonly status: string;
  readonly labels?: Labels;
  /** The URLs of the instances that hold it. */
  readonly users?: readonly string[];
}

/** What Compute Engine tells of a disk. */
export interface GceDisk {
  readonly id: string;
  readonly name: string;
  readonly zone: string;
  readonly sizeGiB: number;
  readonly status: string;
  readonly labels: Labels;
  readonly holders: readonly string[];
}

/** Nothing for a regional disk, which no member of etcd lives on. */
export function readDisk({ name, zone: url, sizeGb, status, labels = {}, users = [] }: DiskAnswer): readonly GceDisk[] {
  if (url === undefined) return [];
  const zone = lastPart(url);
  const holders = users.map((user) => idInUrl(user) ?? user);
  return [{ id: idOf({ zone, name }), name, zone, sizeGiB: Number(sizeGb), status, labels, holders }];
}

/** Whether it is a member's volume of the cluster and can be used: asked of every answer, whatever was asked for. */
export const isEtcdDiskOf = (cluster: string, { labels, status }: Pick<GceDisk, 'labels' | 'status'>): boolean =>
  isOfCluster(cluster, labels) &&
  status === 'READY' &&
  Object.keys(labels).some((key) => key.startsWith(ETCD_LABEL_PREFIX));

/** What udev calls a disk on the machine that holds it, by the name it was attached under. */
export const deviceOnMachine = (deviceName: string): string => `/dev/disk/by-id/google-${deviceName}`;

export interface DiskView {
  readonly cluster: string;
  /** This machine. */
  readonly instanceId: string;
  /** The cluster's machines. */
  readonly instances: readonly GceInstance[];
}

/** The etcd volumes of the cluster among them, as this machine sees them. */
export function volumesAmong(disks: readonly GceDisk[], view: DiskView): readonly CloudVolume[] {
  const instances = new Map(view.instances.map((instance) => [instance.instanceId, instance]));
  return disks
    .filter((disk) => isEtcdDiskOf(view.cluster, disk))
    .map(({ id, name, sizeGiB, zone, labels, holders }) => {
      // Several machines can hold a disk of a kind that allows it; it is only ours while nobody else does.
      const holder = holders.find((instanceId) => instanceId !== view.instanceId) ?? holders[0];
      const seen = { id, name, sizeGiB, zone, tags: tagsOf(labels) };
      if (holder === undefined) return seen;
      const instance = instances.get(holder);
      // The list of machines may be older than that of disks: agents attach a disk under its own name.
      const device = deviceOnMachine(instance?.deviceNames.get(id) ?? name);
      return { ...seen, attachedTo: { instanceId: holder, address: instance?.address ?? '', device } };
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Labels as tags; what they say of members of etcd in the form that it has in other clouds. */
function tagsOf(labels: Labels): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(labels).flatMap(([key, value]) => {
      if (!key.startsWith(ETCD_LABEL_PREFIX)) return [[key, value]];
      const text = decodeLabel(value);
      return text === undefined ? [] : [[ETCD_TAG_PREFIX + key.slice(ETCD_LABEL_PREFIX.length), text]];
    }),
  );
}
