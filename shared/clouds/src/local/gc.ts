import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cgroupMounts, clustersWithGroups, removeClusterGroups } from './cgroups.ts';
import { type ClusterPaths, clusterPaths } from './cluster-paths.ts';
import { livingHolder } from './holder.ts';
import { subfolders } from './json-file.ts';
import { run } from './run.ts';

/**
 * Removes what a supervisor that was killed leaves outside its namespaces: cgroups, its socket,
 * loop devices that something else kept, machines and volumes that were half made or half deleted. Processes, mounts and interfaces the kernel has ended
 * with it. The machines' disks and volumes stay, for the next supervisor. A cluster whose
 * supervisor lives is not touched. Says what it removed.
 */
export async function collectGarbage(dir: string): Promise<readonly string[]> {
  const removed: string[] = [];
  const clusters = new Set(await subfolders(dir));
  for (const cluster of clusters) removed.push(...(await collectClusterGarbage(dir, cluster)));
  return removed;
}

/** The same for one cluster. */
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
    removed.push(`half-made or half-deleted ${folder}`);
  }
  for (const file of [paths.socket, paths.holder]) await rm(file, { force: true });
  return removed;
}

/** A machine or volume gets its record last of all and loses it first. */
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
