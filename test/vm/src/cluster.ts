import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLocalCloud } from '@kopsctl/clouds/local/control/supervisor/client.ts';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { clusterPaths } from '@kopsctl/clouds/local/control/records/cluster-paths.ts';
import { livingHolder } from '@kopsctl/clouds/local/control/supervisor/holder.ts';
import { execa } from 'execa';
import { inject } from 'vitest';
import { ASSETS_DIR, type Prepared } from '../../../packaging/quickstart/src/prepare.ts';

export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A cluster under test, with its own state store and kubeconfig. */
export interface TestCluster {
  readonly name: string;
  readonly prepared: Prepared;
  readonly spec: string;
  readonly kubeconfig: string;
  kopsctl(...args: readonly string[]): Promise<Ended>;
  /** Runs it until a line that it prints is the one that is waited for, and kills it then with SIGKILL. */
  killKopsctl(isLine: (line: string) => boolean, ...args: readonly string[]): Promise<void>;
  kubectl(...args: readonly string[]): Promise<string>;
  /** Runs a command on a machine and returns its output. */
  on(machine: string, ...command: readonly string[]): Promise<Ended>;
  /** A command line that runs `command` on a machine, for callers that start it themselves. */
  commandOn(machine: string, ...command: readonly string[]): Promise<readonly string[]>;
  machines(): Promise<
    readonly { readonly name: string; readonly nodeName: string; readonly role: string; readonly address: string }[]
  >;
  /** The names of its volumes. */
  volumes(): Promise<readonly string[]>;
  /** Shuts a machine down and starts it again. */
  stop(machine: string): Promise<void>;
  start(machine: string): Promise<void>;
  /** Destroys a machine and the volumes that it holds. */
  loseMachine(machine: string): Promise<void>;
  /** Kills every agent of a machine with SIGKILL and waits until each runs again. */
  killAgents(machine: string): Promise<void>;
  /** Disconnects a machine's network. Call the result to reconnect it. */
  cutOff(machine: string): Promise<() => Promise<void>>;
  /**
   * The network namespace of its machines, as an argument of `nsenter --net`; undefined until the first machine runs.
   */
  networkNamespace(): Promise<string | undefined>;
  destroy(): Promise<void>;
}

/** Why whole clusters cannot run on this computer; undefined if they can. */
export function cannotRunMachines(): string | undefined {
  if (process.platform !== 'linux') return 'machines need Linux';
  if (process.getuid?.() !== 0) return 'machines need root';
  return undefined;
}

/**
 * @param example a file in `examples`, or the path of a test's own specification
 * @param prepared the build results; tests use the results that all tests share
 */
export async function testCluster(
  example: string,
  prepared: Prepared | undefined = inject('prepared'),
): Promise<TestCluster> {
  if (prepared === undefined) throw new Error('nothing is prepared, because no machines can run on this computer');
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
  const local = openLocalCloud({ cluster: name, dir: env.KOPSCTL_LOCAL_DIR });
  // Tests look at machines again and again, while clusters need the processors. `toolbox exec` and `get machines` ask the
  // supervisor in the same way (quickstart.vm.test.ts), and each start of kopsctl takes more than what it asks.
  const on: TestCluster['on'] = (machine, ...command) =>
    local.exec(machine, command).catch((error: unknown) => ({ exitCode: 255, stdout: '', stderr: messageOf(error) }));
  const machines: TestCluster['machines'] = async () => {
    const found = await local.describe();
    if (found === undefined) throw new Error(`${name} has no machines`);
    return found.machines;
  };
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
    async killKopsctl(isLine, ...args) {
      const running = execa(prepared.kopsctl, args, { env, reject: false, all: true, lines: true });
      for await (const line of running.iterable({ from: 'all' })) {
        if (!isLine(line)) continue;
        running.kill('SIGKILL');
        await running;
        return;
      }
      throw new Error(`kopsctl ${args.join(' ')} ended before the line that it was to be killed at`);
    },
    async kubectl(...args) {
      return (await execa(prepared.kubectl, args, { env })).stdout;
    },
    commandOn: (machine, ...command) => local.execArgv(machine, command),
    async volumes() {
      const described = await local.describe();
      return (described?.volumes ?? []).map((volume) => volume.name);
    },
    stop: (machine) => local.stopMachine(machine),
    start: (machine) => local.startMachine(machine),
    async loseMachine(machine) {
      const before = await local.describe();
      const held = (before?.volumes ?? []).filter(({ attachedTo }) => attachedTo?.machine === machine);
      if (held.length === 0) throw new Error(`${machine} has no volume attached`);
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
      // The bridge port is named after the last two numbers of the address.
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

/** Each start of kubectl takes a tenth of a second from the processors that the cluster needs. */
const LOOK_AGAIN_MS = 1_000;
/** As long as the look before, but not longer. */
const LONGEST_PAUSE_MS = 2_000;

/** Waits until a condition holds, and looks once a second, or less often where a look takes longer. Fails with the last error. */
export async function until<T>(what: string, timeoutMs: number, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    const lookedMs = performance.now();
    try {
      const seen = await look();
      if (seen !== undefined) return seen;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) {
      const why = last === undefined ? '' : `: ${messageOf(last)}`;
      throw new Error(`timed out after ${timeoutMs / 1000} s: ${what}${why}`, { cause: last });
    }
    await sleep(Math.min(LONGEST_PAUSE_MS, Math.max(LOOK_AGAIN_MS, performance.now() - lookedMs)));
  }
}
