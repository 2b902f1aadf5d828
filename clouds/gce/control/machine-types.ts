import type { Architecture } from '@kopsctl/model/create-cluster/channel.ts';

/** Families with processors of Arm: Tau T2A, Axion, and Grace beside its GPUs. */
const ARM = /^(t2a|c4a|n4a|a4x)-/;
/** Families whose machines come with accelerators. */
const WITH_ACCELERATORS = /^(a2|a3|a4|a4x|g2|g4)-/;

export const architectureOf = (machineType: string): Architecture => (ARM.test(machineType) ? 'arm64' : 'amd64');

/** Google ends such machines for its maintenance: an accelerator cannot be moved while it is used. */
export const comesWithAccelerators = (machineType: string): boolean => WITH_ACCELERATORS.test(machineType);
