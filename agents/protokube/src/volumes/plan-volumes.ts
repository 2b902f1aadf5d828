import type { CloudVolume } from '@kopsctl/node-cloud/node-cloud.ts';
import type { EtcdVolumeMount, MemberFile } from '@kopsctl/node-plan/agent-config.ts';

/** What a device contains. Only an `empty` one may be formatted. */
export type Contents =
  | { readonly state: 'empty' }
  | { readonly state: 'filesystem'; readonly type: string }
  | {
      readonly state: 'unclear';
      readonly why: string;
      /** Data in which blkid finds nothing that it knows, as an interrupted mkfs leaves it. */
      readonly isUnknownData?: boolean;
    };

/** The observed state of one etcd cluster's volume on this machine. */
export interface ObservedMount {
  /** The device mounted at the mount point. */
  readonly mountedDevice?: string;
  /** The kernel no longer has that device, so the mounted file system can be neither read nor written. */
  readonly isDeviceGone?: boolean;
  /** The content of `.member`, when something is mounted. */
  readonly memberFile?: MemberFile;
  /** The device of the volume attached to this machine; `present` says whether its device node exists. */
  readonly device?: {
    readonly path: string;
    readonly present: boolean;
    /** Where it is mounted, at the mount point or elsewhere. */
    readonly mountedAt?: string;
    /** Known only while it is not mounted. */
    readonly contents?: Contents;
  };
}

export interface VolumeWorld {
  readonly instanceId: string;
  readonly zone: string;
  readonly volumes: readonly CloudVolume[];
  /** Volumes the cloud has refused to attach since they last changed. */
  readonly refused: ReadonlySet<string>;
  readonly mount: ObservedMount;
  /** Members of other etcd clusters on this machine: the same letter is preferred, which is easier for people. */
  readonly heldMembers: readonly string[];
}

export type VolumeStep =
  | { readonly action: 'attach'; readonly volumeId: string; readonly summary: string }
  | { readonly action: 'wait-for-volume'; readonly summary: string }
  | { readonly action: 'wait-for-device'; readonly device: string; readonly summary: string }
  | { readonly action: 'format'; readonly device: string; readonly volumeId: string; readonly summary: string }
  | {
      readonly action: 'check-and-mount';
      readonly device: string;
      readonly volumeId: string;
      readonly type: string;
      readonly summary: string;
    }
  | { readonly action: 'write-member'; readonly file: MemberFile; readonly summary: string }
  | { readonly action: 'let-go'; readonly summary: string }
  | { readonly action: 'refuse'; readonly summary: string; readonly next: string }
  | { readonly action: 'nothing'; readonly member: string; readonly summary: string };

/**
 * Decides the single next step towards one mounted etcd volume. Never formats a device that is not provably empty, never
 * mounts a device that is mounted already, and never claims a second volume of the same etcd cluster.
 */
export function planVolume(wanted: EtcdVolumeMount, world: VolumeWorld): VolumeStep {
  // etcd stops with its mount; then a volume, this one or another, is claimed again.
  if (world.mount.mountedDevice !== undefined && world.mount.isDeviceGone === true) {
    const summary = `unmount ${wanted.mountPoint}: its device ${world.mount.mountedDevice} has disappeared`;
    return { action: 'let-go', summary };
  }
  const mine = claimed(wanted.tagKey, world);
  if (mine === undefined) return planClaim(wanted, world);
  const device = world.mount.device;
  if (device === undefined) throw new Error(`no device observed for the attached volume ${mine.volume.id}`);
  const twin = world.volumes.find(
    ({ id, attachedTo }) =>
      id !== mine.volume.id && attachedTo?.instanceId === world.instanceId && attachedTo.device === device.path,
  );
  if (twin !== undefined) {
    return {
      action: 'refuse',
      summary: `the cloud says that both ${mine.volume.id} and ${twin.id} are ${device.path}; neither is used`,
      next: `detach one of them and attach it again`,
    };
  }
  if (world.mount.mountedDevice === undefined) return planMount(wanted, mine, device, world.mount);
  if (device.mountedAt !== wanted.mountPoint) {
    return {
      action: 'refuse',
      summary: `${wanted.mountPoint} holds ${world.mount.mountedDevice}, not ${device.path} of the volume ${mine.volume.id}`,
      next: `find out what mounted it there, then \`umount ${wanted.mountPoint}\``,
    };
  }
  const file: MemberFile = { member: mine.tag.member, members: mine.tag.members, volumeId: mine.volume.id };
  if (JSON.stringify(file) === JSON.stringify(world.mount.memberFile)) {
    const summary = `${wanted.mountPoint} holds member ${file.member} on ${mine.volume.id}`;
    return { action: 'nothing', member: file.member, summary };
  }
  return {
    action: 'write-member',
    file,
    summary: `write ${wanted.mountPoint}/.member (${file.member} on ${mine.volume.id})`,
  };
}

function planMount(
  wanted: EtcdVolumeMount,
  mine: Tagged,
  device: NonNullable<ObservedMount['device']>,
  mount: ObservedMount,
): VolumeStep {
  if (mount.mountedDevice !== undefined) throw new Error(`${wanted.mountPoint} is mounted already`);
  if (!device.present) {
    return { action: 'wait-for-device', device: device.path, summary: `wait for ${device.path} of ${mine.volume.id}` };
  }
  if (device.mountedAt !== undefined) {
    return {
      action: 'refuse',
      summary: `${device.path} of ${mine.volume.id} is mounted at ${device.mountedAt}; it is never mounted twice`,
      next: `\`umount ${device.mountedAt}\``,
    };
  }
  const contents = device.contents;
  if (contents === undefined) throw new Error(`${device.path} is not mounted, but its contents are not known`);
  if (contents.state === 'empty') {
    return {
      action: 'format',
      device: device.path,
      volumeId: mine.volume.id,
      summary: `format ${device.path}: the volume ${mine.volume.id} is empty`,
    };
  }
  if (contents.state === 'filesystem') {
    return {
      action: 'check-and-mount',
      device: device.path,
      volumeId: mine.volume.id,
      type: contents.type,
      summary: `check ${device.path} (${contents.type}) and mount it at ${wanted.mountPoint}`,
    };
  }
  return {
    action: 'refuse',
    summary: `${device.path} of ${mine.volume.id} is neither empty nor a file system (${contents.why}); it is not formatted`,
    next: `examine it with \`blkid -p ${device.path}\`; if it holds nothing you need, \`wipefs -a ${device.path}\` and overwrite its start with zeros`,
  };
}

function planClaim(wanted: EtcdVolumeMount, world: VolumeWorld): VolumeStep {
  if (world.mount.mountedDevice !== undefined) {
    return {
      action: 'refuse',
      summary: `${wanted.mountPoint} holds ${world.mount.mountedDevice}, but according to the cloud no ${wanted.etcdCluster} volume is attached here`,
      next: `\`umount ${wanted.mountPoint}\` once nothing uses it`,
    };
  }
  const all = tagged(wanted.tagKey, world.volumes);
  const free = all.filter(({ volume }) => volume.attachedTo === undefined && !world.refused.has(volume.id));
  const best = free.sort((a, b) => rank(a, world) - rank(b, world) || compare(a.volume.name, b.volume.name))[0];
  if (best === undefined) {
    const held = all.filter(({ volume }) => volume.attachedTo !== undefined).length;
    return {
      action: 'wait-for-volume',
      summary: `wait for a free ${wanted.etcdCluster} volume (${all.length} tagged ${wanted.tagKey}, ${held} held by other machines, ${world.refused.size} refused)`,
    };
  }
  return {
    action: 'attach',
    volumeId: best.volume.id,
    summary: `attach ${best.volume.id} (member ${best.tag.member} of ${wanted.etcdCluster})`,
  };
}

/** Lower is better: first this machine's zone (most clouds attach nothing across zones), then the letter it already has. */
function rank({ volume, tag }: Tagged, world: VolumeWorld): number {
  return (volume.zone === world.zone ? 0 : 2) + (world.heldMembers.includes(tag.member) ? 0 : 1);
}

export interface Tagged {
  readonly volume: CloudVolume;
  readonly tag: { readonly member: string; readonly members: readonly string[] };
}

/** The volume of this etcd cluster that is attached to this machine; if there are two, the first by name. */
export function claimed(tagKey: string, world: Pick<VolumeWorld, 'instanceId' | 'volumes'>): Tagged | undefined {
  return tagged(tagKey, world.volumes)
    .filter(({ volume }) => volume.attachedTo?.instanceId === world.instanceId)
    .sort((a, b) => compare(a.volume.name, b.volume.name))[0];
}

/** This etcd cluster's volumes with their parsed tags. A volume with an invalid tag is left out. */
export function tagged(tagKey: string, volumes: readonly CloudVolume[]): Tagged[] {
  return volumes.flatMap((volume) => {
    const tag = parseMemberTag(volume.tags[tagKey]);
    return tag === undefined ? [] : [{ volume, tag }];
  });
}

/** Parses kops's tag value `<member>/<member>,<member>…`, e.g. `a/a,b,c`. */
export function parseMemberTag(value: string | undefined): Tagged['tag'] | undefined {
  const [member, list, ...rest] = value?.split('/') ?? [];
  if (member === undefined || member === '' || list === undefined || rest.length > 0) return undefined;
  const members = list.split(',').filter((name) => name !== '');
  return members.includes(member) ? { member, members } : undefined;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
