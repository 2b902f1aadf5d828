import * as z from 'zod';

/** Names of machines are used as file names, cgroup names and host names, hence this narrow form. */
const resourceName = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/, 'lower-case letters, digits, dots and dashes, at most 63');
const tags = z.record(z.string(), z.string());

export const networkOptionsSchema = z.strictObject({
  /** The range of the cluster network, e.g. 172.30.0.0/24. The first address is the gateway. */
  cidr: z.string(),
  /** The state store of the cluster; machines access it according to their role. */
  storeUrl: z.string(),
  /** The file with the identities of age that open what is sealed in the state store, if anything is. */
  stateIdentity: z.string().optional(),
  /** Folders of the cluster's state that lie elsewhere. */
  storePlaces: z.array(z.strictObject({ folder: z.string(), url: z.string() })).optional(),
  /** The folder with index.json and the files it lists, served at /assets/. */
  assetsDir: z.string(),
  /** The read-only layers of a new machine's root, top first. */
  layers: z.array(z.string()),
});
export type NetworkOptions = z.infer<typeof networkOptionsSchema>;

/** network.json: the options, and what was decided when the network of the cluster was first created. */
export const networkRecordSchema = networkOptionsSchema.extend({
  /** The port on 127.0.0.1 of the host that forwards to the Kubernetes API. Never changes. */
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
  /** A worker that may not read plans: authorities give it its own. */
  planThroughAuthority: z.boolean().optional(),
  /** The folder of container images that its /var/lib/containerd begins with. */
  containerImages: z.string().optional(),
});
export type MachineSpec = z.infer<typeof machineSpecSchema>;

/** machine.json. The user data itself is only in the seed of the machine. */
export const machineRecordSchema = machineSpecSchema.omit({ userData: true }).extend({
  userDataHash: z.string(),
  /** The image it was created from; the image of a machine never changes. */
  layers: z.array(z.string()),
  address: z.string(),
  /** /etc/machine-id, 32 hex digits. */
  machineId: z.string(),
  /** The state that a new supervisor restores. */
  wanted: z.enum(['running', 'stopped']),
  createdMs: z.int(),
});
export type MachineRecord = z.infer<typeof machineRecordSchema>;

export const machineViewSchema = machineRecordSchema.extend({
  state: z.enum(['starting', 'running', 'stopping', 'stopped']),
  /** How often this supervisor has started it, including reboots. */
  boots: z.int(),
  /** How its last run ended, if it has ended. */
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

/** volume.json. The id of a volume is its name. */
export const volumeViewSchema = volumeSpecSchema.extend({
  attachedTo: z.object({ machine: z.string(), address: z.string(), device: z.string() }).optional(),
});
export type VolumeView = z.infer<typeof volumeViewSchema>;

/** The whole state of a supervisor, as its API returns it. */
export const clusterStateSchema = z.object({
  revision: z.string(),
  network: networkRecordSchema,
  machines: z.array(machineViewSchema),
  volumes: z.array(volumeViewSchema),
});
export type ClusterState = z.infer<typeof clusterStateSchema>;
