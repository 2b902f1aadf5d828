import type { Architecture } from '@kopsctl/model/create-cluster/channel.ts';

/** Families with processors of Arm: Tau T2A, Axion, and Grace beside its GPUs. */
const ARM = /^(t2a|c4a|n4a|a4x)-/;
/** Families whose machines come with accelerators. */
const WITH_ACCELERATORS = /^(a2|a3|a4|a4x|g2|g4)-/;

export const architectureOf = (machineType: string): Architecture => (ARM.test(machineType) ? 'arm64' : 'amd64');

/** Google ends such machines for its maintenance: an accelerator cannot be moved while it is used. */
export const comesWithAccelerators = (machineType: string): boolean => WITH_ACCELERATORS.test(machineType);

/** Families whose machines take Hyperdisks and no Persistent Disks (Google, "Choose a disk type"). */
const WITH_HYPERDISK_ALONE = /^(a4|a4x|c4|c4a|c4d|g4|h4d|m4|n4|n4a|n4d|x4)-/;
/** Families whose machines take no pd-standard. */
const WITHOUT_STANDARD_DISK = /^(a3|c3|c3d|g2|h3|m3|z3)-/;

export const takesHyperdiskAlone = (machineType: string): boolean => WITH_HYPERDISK_ALONE.test(machineType);

/** Whether a type of disk is of a kind that Google has: it makes new types of them from time to time. */
export const isDiskType = (type: string): boolean => /^(pd|hyperdisk)-[a-z]+(-[a-z]+)*$/.test(type);

/** The type of disk that machines boot from: that of kops (pkg/model/gcemodel/autoscalinggroup.go), where they take it. */
export function bootDiskType(machineType: string): string {
  if (takesHyperdiskAlone(machineType)) return HYPERDISK;
  return WITHOUT_STANDARD_DISK.test(machineType) ? 'pd-balanced' : 'pd-standard';
}

/** The type of etcd's disks: etcd must not wait for a spinning disk. */
export const etcdDiskType = (machineType: string): string => (takesHyperdiskAlone(machineType) ? HYPERDISK : 'pd-ssd');

const HYPERDISK = 'hyperdisk-balanced';
