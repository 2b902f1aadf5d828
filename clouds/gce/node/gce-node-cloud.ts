import { randomUUID } from 'node:crypto';
import { machineToken } from '@kopsctl/google/access-token.ts';
import { openGoogleApi } from '@kopsctl/google/google-api.ts';
import { metadataEndpoint, openMetadata } from '@kopsctl/google/metadata.ts';
import type { CloudVolume, NodeCloud } from '@kopsctl/node-cloud/node-cloud.ts';
import { watchByAsking } from '@kopsctl/node-cloud/watch-by-asking.ts';
import { attachDisk, type AttachEnv } from './attach-disk.ts';
import { type Compute, computeEndpoint } from './compute.ts';
import { detachDisk } from './detach-disk.ts';
import { deviceOnMachine, DISK_FIELDS, type GceDisk, parseDisk, volumesAmong } from './disks.ts';
import { readFacts, readOwnName } from './facts.ts';
import { type GceInstance, INSTANCE_FIELDS, machinesAmong, parseInstance } from './instances.ts';
import { keepUnreachable } from './keep-unreachable.ts';
import { listAll } from './list-all.ts';
import { idOf, type ZonalName } from './resource-name.ts';

export interface GceNodeCloudOptions {
  readonly cluster: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** GCE as a machine sees it: its metadata server, and Compute Engine with the permissions of its service account. */
export function createGceNodeCloud({ cluster, env }: GceNodeCloudOptions): NodeCloud {
  const metadata = openMetadata(metadataEndpoint(env));
  const api = openGoogleApi(machineToken(metadata, Date.now));
  let opened: Compute | undefined;
  let ownName: ZonalName | undefined;
  const own = async (signal: AbortSignal) => (ownName ??= await readOwnName(metadata, signal));
  const open = async (signal: AbortSignal): Promise<Compute> =>
    (opened ??= { api, endpoint: computeEndpoint(env), project: await metadata.read('project/project-id', signal) });

  const allInstances = keepUnreachable<GceInstance>(({ instanceId }) => instanceId);
  const instances = async (signal: AbortSignal): Promise<readonly GceInstance[]> => {
    const listing = { kind: 'instances', cluster, fields: INSTANCE_FIELDS } as const;
    return allInstances(await listAll(await open(signal), listing, (item) => [parseInstance(item)], signal));
  };
  const allDisks = keepUnreachable<GceDisk>(({ id }) => id);
  const disks = async (signal: AbortSignal): Promise<readonly GceDisk[]> => {
    const listing = { kind: 'disks', cluster, fields: DISK_FIELDS } as const;
    return allDisks(await listAll(await open(signal), listing, parseDisk, signal));
  };

  const lookAtVolumes = async (signal: AbortSignal): Promise<readonly CloudVolume[]> => {
    const [found, machines, here] = await Promise.all([disks(signal), instances(signal), own(signal)]);
    return volumesAmong(found, { cluster, instanceId: idOf(here), instances: machines });
  };
  const machineWatch = watchByAsking(async (signal) => machinesAmong(await instances(signal), cluster), Math.random);
  const volumeWatch = watchByAsking(lookAtVolumes, Math.random);
  const attachEnv = async (signal: AbortSignal): Promise<AttachEnv> => ({
    compute: await open(signal),
    cluster,
    own: await own(signal),
    newRequestId: randomUUID,
  });

  return {
    facts: (signal) => readFacts(metadata, signal),
    machines: (after, signal) => machineWatch.newerThan(after, signal),
    volumes: (after, signal) => volumeWatch.newerThan(after, signal),
    async attachVolume(volumeId, signal) {
      return { device: deviceOnMachine(await attachDisk(volumeId, await attachEnv(signal), signal)) };
    },
    async detachVolume(volumeId, signal) {
      await detachDisk(volumeId, await attachEnv(signal), signal);
    },
  };
}
