import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openLocalCloud } from '@kopsctl/clouds/local/control/supervisor/client.ts';
import { clusterPaths } from '@kopsctl/clouds/local/control/records/cluster-paths.ts';
import { initOf, livingHolder } from '@kopsctl/clouds/local/control/supervisor/holder.ts';
import { execa } from 'execa';
import { ASSETS_DIR } from '../../../../packaging/quickstart/src/prepare.ts';
import type { Ended } from '../cluster.ts';

/** Machines that nobody lists: what `toolbox enroll` finds in a rack. Only their power and their disks are ours. */
export interface BareMachines {
  readonly mirrorUrl: string;
  start(name: string, role: 'ControlPlane' | 'Node', userData: string): Promise<{ readonly address: string }>;
  on(machine: string, ...command: readonly string[]): Promise<Ended>;
  /** Gives a machine an empty disk. Returns its device there. */
  giveDisk(machine: string, disk: string): Promise<string>;
  /** Runs a command in the network of the machines, on the person's computer. */
  beside(argv: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Mounts the disk of a machine beside them too: a folder that the person and the machine share. */
  mountBeside(disk: string, at: string): Promise<void>;
  destroy(): Promise<void>;
}

const MIRROR_PORT = '8080';

/**
 * Starts a network of machines with a mirror in it, which serves a folder.
 *
 * @param name of their network, and nothing that the machines learn
 */
export async function bareMachines(
  name: string,
  { folder, mirror, gateway }: { readonly folder: string; readonly mirror: string; readonly gateway: string },
): Promise<BareMachines> {
  const dir = join(folder, 'local');
  const local = openLocalCloud({ cluster: name, dir });
  await mkdir(join(folder, 'nothing'), { recursive: true });
  const networkCidr = gateway.replace(/\d+$/, '0/24');
  await local.ensureSupervisor({ networkCidr, storeUrl: `file://${folder}/nothing`, assetsDir: ASSETS_DIR });
  const holder = await livingHolder(clusterPaths(dir, name));
  if (holder === undefined) throw new Error(`the network ${name} does not run`);
  // What is mounted there is gone with the machines, also when this process is killed.
  const enter = ['nsenter', '--target', String(await initOf(holder)), '--mount', '--net'] as const;
  const beside: BareMachines['beside'] = async ([...argv], env = {}) => {
    const [program, ...options] = enter;
    const { exitCode, stdout, stderr } = await execa(program, [...options, ...argv], { env, reject: false });
    return { exitCode: exitCode ?? -1, stdout, stderr };
  };
  const [program, ...options] = enter;
  const server = fork(join(import.meta.dirname, 'serve-folder.ts'), [mirror, gateway, MIRROR_PORT], {
    execPath: program,
    execArgv: [...options, process.execPath],
  });
  await once(server, 'message');
  const on: BareMachines['on'] = (machine, ...command) => local.exec(machine, command);
  const must = async (ended: Promise<Ended>): Promise<string> => {
    const { exitCode, stdout, stderr } = await ended;
    if (exitCode !== 0) throw new Error(`exit code ${exitCode}: ${stderr}`);
    return stdout.trim();
  };
  return {
    mirrorUrl: `http://${gateway}:${MIRROR_PORT}`,
    on,
    beside,
    start: (machine, role, userData) =>
      local.createMachine({
        name: machine,
        instanceGroup: 'bare',
        role,
        nodeName: machine,
        zone: 'room-1',
        userData,
        tags: {},
      }),
    async giveDisk(machine, disk) {
      await local.createVolume({ name: disk, sizeGiB: 1, zone: 'room-1', tags: {} });
      const url = `http://169.254.169.254/v1/volumes/${disk}/attach`;
      return JSON.parse(await must(on(machine, 'curl', '-fsS', '-X', 'POST', url))).device;
    },
    async mountBeside(disk, at) {
      const found = await must(beside(['losetup', '--noheadings', '--output', 'NAME,BACK-FILE']));
      const [loop = ''] =
        found
          .split('\n')
          .find((line) => line.includes(`/${name}/volumes/${disk}/`))
          ?.split(/\s+/) ?? [];
      await must(beside(['mkdir', '-p', at]));
      await must(beside(['mount', loop, at]));
    },
    async destroy() {
      server.kill();
      await local.shutdown();
    },
  };
}
