import * as z from 'zod';

/*
 * The contract between the model, which makes tasks of these kinds, and whatever carries them out or writes them down:
 * the handlers and Terraform. By the time a handler sees a reference to an output it is that output.
 */

const tags = z.record(z.string(), z.string());
/** References that are only for the order. */
const after = z.array(z.unknown());

export const networkProps = z.strictObject({ cidr: z.string(), tags });
export const volumeProps = z.strictObject({ zone: z.string(), sizeGiB: z.number(), tags });
export const machineProps = z.strictObject({
  network: z.string(),
  zone: z.string(),
  instanceGroup: z.string(),
  role: z.enum(['ControlPlane', 'Node', 'APIServer', 'Bastion']),
  machineType: z.string(),
  image: z.string(),
  userData: z.string(),
  tags,
  after,
});

export type NetworkProps = z.infer<typeof networkProps>;
export type VolumeProps = z.infer<typeof volumeProps>;
export type MachineProps = z.infer<typeof machineProps>;
