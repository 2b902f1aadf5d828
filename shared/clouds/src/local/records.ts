import { z } from 'zod';

/** Machine names become file names, cgroup names and host names, hence this narrow form. */
const resourceName = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/, 'lower-case letters, digits, dots and dashes, at most 63');
const tags = z.record(z.string(), z.string());

export const networkOptionsSchema = z.strictObject({
  /** The cluster network's range, e.g. 172.30.0.0/24: the first address is the gateway's. */
  cidr: z.string(),
  /** The cluster's state store, served to the machines by rights. */
  storeUrl: z.string(),
  /** Folder with index.json and the files it names, served at /assets/. */
  assetsDir: z.string(),
  /** Read-only layers of a new machine's root, top first. */
  layers: z.array(z.string()),
});
export type NetworkOptions = z.infer<typeof networkOptionsSchema>;

/** network.json: the options and what was decided when the cluster's network was first made. */
export const networkRecordSchema = networkOptionsSchema.extend({
  /** Port on the host's 127.0.0.1 that leads to the Kubernetes API. Never changes. */
  apiPort: z.int(),
});
export type NetworkRecord = z.infer<typeof networkRecordSchema>;

export const machineSpecSchema = z.strictObject({
  name: resourceName,
  instanceGroup: z.string(),
  role: z.enum(['ControlPlane', 'Node', 'Bastion', 'APIServer']),
  nodeName: resourceName,
  zone: z.string(),
  userData: z.string(),
  tags,
  memoryMaxBytes: z.int().positive().optional(),
  pidsMax: z.int().positive().optional(),
});
export type MachineSpec = z.infer<typeof machineSpecSchema>;

/** machine.json. The user-data itself is only in the machine's seed. */
export const machineRecordSchema = machineSpecSchema.omit({ userData: true }).extend({
  userDataHash: z.string(),
  /** The image it was made from; a machine's disk never changes image. */
  layers: z.array(z.string()),
  address: z.string(),
  /** /etc/machine-id, 32 hex digits. */
  machineId: z.string(),
  /** What the machine goes back to when its supervisor starts again. */
  wanted: z.enum(['running', 'stopped']),
  createdMs: z.int(),
});
export type MachineRecord = z.infer<typeof machineRecordSchema>;

export const machineViewSchema = machineRecordSchema.extend({
  state: z.enum(['starting', 'running', 'stopping', 'stopped']),
  /** How often it was started by this supervisor, reboots included. */
  boots: z.int(),
  /** How its last run ended, when it ended. */
  lastExit: z.string().optional(),
});
export type MachineView = z.infer<typeof machineViewSchema>;

/** kops's names, `a.etcd-main.<cluster>`, are longer than a host name may be. */
const volumeName = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9.-]{0,198}[a-z0-9])?$/, 'lower-case letters, digits, dots and dashes');

export const volumeSpecSchema = z.strictObject({
  name: volumeName,
  sizeGiB: z.number().positive(),
  zone: z.string(),
  tags,
});
export type VolumeSpec = z.infer<typeof volumeSpecSchema>;

/** volume.json; its id is its name. */
export const volumeViewSchema = volumeSpecSchema.extend({
  attachedTo: z.object({ machine: z.string(), address: z.string(), device: z.string() }).optional(),
});
export type VolumeView = z.infer<typeof volumeViewSchema>;

/** Everything the supervisor knows, as its API tells it. */
export const clusterStateSchema = z.object({
  revision: z.string(),
  network: networkRecordSchema,
  machines: z.array(machineViewSchema),
  volumes: z.array(volumeViewSchema),
});
export type ClusterState = z.infer<typeof clusterStateSchema>;
