import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLocalCloud } from '@kopsctl/clouds/local/client.ts';
import { clusterPaths } from '@kopsctl/clouds/local/cluster-paths.ts';
import { livingHolder } from '@kopsctl/clouds/local/holder.ts';
import { execa } from 'execa';
import { inject } from 'vitest';
import { ASSETS_DIR, type Prepared } from '../../../packaging/quickstart/src/prepare.ts';

export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A cluster under test, with a state store and kubeconfig of its own. */
export interface TestCluster {
  readonly name: string;
  readonly prepared: Prepared;
  readonly spec: string;
  readonly kubeconfig: string;
  kopsctl(...args: readonly string[]): Promise<Ended>;
  kubectl(...args: readonly string[]): Promise<string>;
  /** Runs a command on a machine and returns its output. */
  on(machine: string, ...command: readonly string[]): Promise<Ended>;
  /** A command line that runs `command` on a machine, for a caller that starts it by itself. */
  commandOn(machine: string, ...command: readonly string[]): Promise<readonly string[]>;
  machines(): Promise<
    readonly { readonly name: string; readonly nodeName: string; readonly role: string; readonly address: string }[]
  >;
  /** Shuts a machine down, and starts it again. */
  stop(machine: string): Promise<void>;
  start(machine: string): Promise<void>;
  /** A machine is gone for good, and the volumes that it held with it. */
  loseMachine(machine: string): Promise<void>;
  /** Kills every agent of a machine with SIGKILL, and waits until each runs again. */
  killAgents(machine: string): Promise<void>;
  /** Takes a machine's network away. The result gives it back. */
  cutOff(machine: string): Promise<() => Promise<void>>;
  /** Where its machines' network is, as `nsenter --net` takes it, once there is one. */
  networkNamespace(): Promise<string | undefined>;
  destroy(): Promise<void>;
}

/** Why whole clusters cannot run here, or undefined where they can. */
export function cannotRunMachines(): string | undefined {
  if (process.platform !== 'linux') return 'machines need Linux';
  if (process.getuid?.() !== 0) return 'machines need root';
  return undefined;
}

/**
 * @param example a file of `examples`, or the path of a specification of a test's own
 * @param prepared what it is made of; in a test, what was built for all of them
 */
export async function testCluster(
  example: string,
  prepared: Prepared | undefined = inject('prepared'),
): Promise<TestCluster> {
  if (prepared === undefined) throw new Error('nothing is prepared where no machines can run');
  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-vm-'));
  const spec = resolve(prepared.examplesDir, example);
  const name = /name: (\S+)/.exec(await readFile(spec, 'utf8'))?.[1] ?? '';
  const env = {
    KOPS_STATE_STORE: `file://${folder}/state`,
    KUBECONFIG: join(folder, 'kubeconfig'),
    KOPSCTL_LOCAL_DIR: join(folder, 'local'),
    KOPSCTL_ASSETS: ASSETS_DIR,
    KOPS_CLUSTER_NAME: name,
  };
  const kopsctl = async (...args: readonly string[]): Promise<Ended> => {
    const { exitCode, stdout, stderr } = await execa(prepared.kopsctl, args, { env, reject: false });
    return { exitCode: exitCode ?? -1, stdout, stderr };
  };
  const on: TestCluster['on'] = (machine, ...command) => kopsctl('toolbox', 'exec', machine, '--', ...command);
  const machines: TestCluster['machines'] = async () =>
    JSON.parse((await kopsctl('get', 'machines', '-o', 'json')).stdout) as [];
  const networkNamespace: TestCluster['networkNamespace'] = async () => {
    const holder = await livingHolder(clusterPaths(env.KOPSCTL_LOCAL_DIR, name));
    return holder && `/proc/${holder.pid}/ns/net`;
  };
  const running = async (machine: string, unit: string): Promise<string | undefined> => {
    const { stdout } = await on(machine, 'systemctl', 'show', '-p', 'MainPID', '--value', unit);
    return stdout.trim() === '0' || stdout.trim() === '' ? undefined : stdout.trim();
  };
  return {
    name,
    prepared,
    spec,
    kubeconfig: env.KUBECONFIG,
    kopsctl,
    on,
    machines,
    networkNamespace,
    async kubectl(...args) {
      return (await execa(prepared.kubectl, args, { env })).stdout;
    },
    commandOn: (machine, ...command) =>
      openLocalCloud({ cluster: name, dir: env.KOPSCTL_LOCAL_DIR }).execArgv(machine, command),
    stop: (machine) => openLocalCloud({ cluster: name, dir: env.KOPSCTL_LOCAL_DIR }).stopMachine(machine),
    start: (machine) => openLocalCloud({ cluster: name, dir: env.KOPSCTL_LOCAL_DIR }).startMachine(machine),
    async loseMachine(machine) {
      const local = openLocalCloud({ cluster: name, dir: env.KOPSCTL_LOCAL_DIR });
      const before = await local.describe();
      const held = (before?.volumes ?? []).filter(({ attachedTo }) => attachedTo?.machine === machine);
      if (held.length === 0) throw new Error(`${machine} holds no volume`);
      await local.terminateMachine(machine);
      for (const volume of held) await local.deleteVolume(volume.name);
    },
    async killAgents(machine) {
      for (const unit of ['protokube.service', 'etcd-manager.service']) {
        const before = await running(machine, unit);
        if (before === undefined) continue;
        await on(machine, 'systemctl', 'kill', '-s', 'KILL', unit);
        await until(`${unit} of ${machine} runs again`, 30_000, async () => {
          const now = await running(machine, unit);
          return now === before ? undefined : now;
        });
      }
    },
    async cutOff(machine) {
      const { address = '' } = (await machines()).find((one) => one.name === machine) ?? {};
      // The port of the network's bridge is called after the last two numbers of the address.
      const port = `m${address.split('.').slice(2).join('.')}`;
      const namespace = await networkNamespace();
      const link = (state: string) => execa('nsenter', [`--net=${namespace}`, 'ip', 'link', 'set', port, state]);
      await link('down');
      return async () => {
        await link('up');
      };
    },
    async destroy() {
      await kopsctl('delete', 'cluster', '--yes');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until a condition holds, looking again twice a second; fails with what was last seen. */
export async function until<T>(what: string, timeoutMs: number, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const seen = await look();
      if (seen !== undefined) return seen;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`${what}: not within ${timeoutMs / 1000} s`, { cause: last });
    await sleep(500);
  }
}
