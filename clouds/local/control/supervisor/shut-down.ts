import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunningSince } from '@kopsctl/machine-facts/see-process.ts';
import { isAway } from './call-supervisor.ts';
import type { ClusterHost } from './cluster-host.ts';
import { collectClusterGarbage } from './collect-garbage.ts';
import { livingHolder } from './holder.ts';
import { requireOwn } from './own-cluster.ts';
import { socketRequest } from './socket-request.ts';

/** A holder that is asked to end takes milliseconds. */
const HOLDER_GONE_WITHIN_MS = 5000;

/** Terminates every machine, deletes every volume and removes everything else of the cluster. */
export async function shutDown(host: ClusterHost): Promise<void> {
  const { cluster, dir, paths } = host;
  await requireOwn(host);
  await endSupervisor(host);
  await collectClusterGarbage(dir, cluster);
  // The record of whose cluster this is goes last, so that a removal that was cut off can be repeated.
  for (const folder of [paths.machines, paths.volumes, paths.root]) {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function endSupervisor({ paths }: ClusterHost): Promise<void> {
  const holder = await livingHolder(paths);
  if (holder === undefined) return;
  // A supervisor that does not respond is killed, which also ends everything it runs.
  await socketRequest(paths.socket, 'POST', '/v1/shutdown').catch((error: unknown) => {
    if (!isAway(error)) throw error;
    process.kill(holder.pid, 'SIGKILL');
  });
  const deadline = Date.now() + HOLDER_GONE_WITHIN_MS;
  while (await isRunningSince(holder.pid, holder.startTime)) {
    if (Date.now() > deadline) process.kill(holder.pid, 'SIGKILL');
    await sleep(10);
  }
}
