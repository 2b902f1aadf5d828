import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cgroupMounts, clustersWithGroups, removeClusterGroups } from '../nspawn/cgroups.ts';
import { type ClusterPaths, clusterPaths, DEFAULT_DIR } from '../records/cluster-paths.ts';
import { livingHolder } from './holder.ts';
import { subfolders } from '../records/json-file.ts';
import { run } from '../processes/run.ts';

/**
 * Removes what a killed supervisor leaves outside its namespaces: cgroups, its socket, loop devices that another
 * process kept open, and machines and volumes that were only partly created or deleted. The kernel has already ended
 * its processes, mounts and interfaces. The disks of machines and the volumes are kept for the next supervisor. A
 * cluster with a running supervisor is left alone. Returns what was removed.
 */
export async function collectGarbage(dir: string = DEFAULT_DIR): Promise<readonly string[]> {
  const removed: string[] = [];
  const clusters = new Set(await subfolders(dir));
  for (const cluster of clusters) removed.push(...(await collectClusterGarbage(dir, cluster)));
  return removed;
}

/** Does the same for one cluster. */
export async function collectClusterGarbage(dir: string, cluster: string): Promise<readonly string[]> {
  const paths = clusterPaths(dir, cluster);
  if ((await livingHolder(paths)) !== undefined) return [];
  const removed: string[] = [];
  const mounts = await cgroupMounts();
  if ((await clustersWithGroups(mounts)).has(cluster)) {
    await removeClusterGroups(mounts, cluster);
    removed.push(`cgroups of ${cluster}`);
  }
  for (const device of await loopDevicesBelow(paths.volumes)) {
    await run(`free ${device}`, 'losetup', ['--detach', device]);
    removed.push(`loop device ${device}`);
  }
  for (const folder of await foldersWithoutRecord(paths)) {
    await rm(folder, { recursive: true, force: true });
    removed.push(`partly created or deleted ${folder}`);
  }
  for (const file of [paths.socket, paths.holder]) await rm(file, { force: true });
  return removed;
}

/** The record of a machine or volume is written last and deleted first. */
async function foldersWithoutRecord(paths: ClusterPaths): Promise<readonly string[]> {
  const machines = (await subfolders(paths.machines)).map((name) => join(paths.machines, name));
  const volumes = (await subfolders(paths.volumes)).map((name) => join(paths.volumes, name));
  return [
    ...machines.filter((folder) => !existsSync(join(folder, 'machine.json'))),
    ...volumes.filter((folder) => !existsSync(join(folder, 'volume.json'))),
  ];
}

async function loopDevicesBelow(folder: string): Promise<readonly string[]> {
  const listed = await run('list loop devices', 'losetup', [
    '--list',
    '--noheadings',
    '--raw',
    '--output',
    'NAME,BACK-FILE',
  ]);
  return listed.split('\n').flatMap((line) => {
    const [device = '', file = ''] = line.split(' ');
    return file.startsWith(join(folder, '/')) ? [device] : [];
  });
}
