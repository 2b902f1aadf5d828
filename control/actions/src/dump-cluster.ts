import { mkdir } from 'node:fs/promises';
import { redactor } from '@kopsctl/agent/redact.ts';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { Machine } from '@kopsctl/model/cloud.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { accessCluster } from './access/cluster-access.ts';
import { driverOf } from './cloud/cloud-layer.ts';
import { hostSettings } from './cloud/host-settings.ts';
import { openRunningCluster } from './cloud/running-cluster.ts';
import { type Bundle, gatherObjects, gatherStore, part } from './dump/gather-bundle.ts';
import { gatherMachines } from './dump/gather-machines.ts';
import { journalsBySsh, type SshLogin } from './dump/journals-by-ssh.ts';
import { knownSecrets } from './dump/known-secrets.ts';
import { withReadableKey } from './dump/readable-key.ts';
import { writeFolder } from './files/write-folder.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { within } from './phases/within.ts';
import { readCluster } from './store/cluster-store.ts';

/** Parts of a bundle whose sources do not answer are left out after this time. */
const PART_TIMEOUT_MS = 2 * 60_000;
/** Over SSH each machine has a limit of its own; this is that of 500 machines, 16 at once, with the usual minute each. */
const SSH_TIMEOUT_MS = 35 * 60_000;

export interface DumpRequest {
  readonly cluster?: string | undefined;
  /** The machines are named as well. */
  readonly listsMachines?: boolean | undefined;
  /** No bundle is written. */
  readonly withoutBundle?: boolean | undefined;
  /** The folder to make. */
  readonly dir?: string | undefined;
  /** The number of machines whose logs are gathered. */
  readonly maxMachines: number;
  /** Journals of machines in a cloud are read over SSH; without it, only what the cloud has of them. */
  readonly ssh?: SshLogin | undefined;
  /** Objects of the cluster are left out. */
  readonly withoutObjects?: boolean | undefined;
  /** The cloud is not asked for machines. */
  readonly withoutMachines?: boolean | undefined;
}

export interface DumpedCluster {
  readonly cluster: string;
  /** Undefined where nobody asked for them. */
  readonly machines: readonly Machine[] | undefined;
  /** Undefined where none was to be written. */
  readonly bundle: { readonly dir: string; readonly files: readonly string[] } | undefined;
}

/** Names the machines of a cluster, and writes a support bundle without secrets, each where it is wished. */
export async function dumpCluster(context: ActionContext, request: DumpRequest): Promise<DumpedCluster> {
  const { listsMachines = false, withoutBundle = false, withoutMachines = false } = request;
  const ssh = request.ssh && (await withReadableKey(request.ssh));
  const { store, cluster } = await chooseCluster(context, request.cluster);
  const machines = listsMachines && !withoutMachines ? await machinesOf(context, store, cluster) : undefined;
  const bundle = withoutBundle ? undefined : await writeBundle(context, store, cluster, { ...request, ssh });
  return { cluster, machines, bundle };
}

async function machinesOf(context: ActionContext, store: StateStore, cluster: string): Promise<readonly Machine[]> {
  const running = await openRunningCluster(store, cluster, hostSettings(context.env, undefined));
  return running.machines();
}

/**
 * Writes a folder with what helps to find out what is wrong with a cluster: the spec, plans, boot reports, what etcd's
 * managers say, objects of the cluster, the consoles of machines that the cloud keeps, and their journals on this computer or
 * over SSH. All secrets of the state store, and what is secret by its form, are taken out.
 */
async function writeBundle(
  context: ActionContext,
  store: StateStore,
  cluster: string,
  { dir: wantedDir, maxMachines, ssh, withoutObjects, withoutMachines }: DumpRequest,
): Promise<DumpedCluster['bundle']> {
  const stored = await readCluster(store, cluster);
  const { signal } = context;
  // First: without knowing the secrets nothing is written.
  const clean = redactor(
    await inPhase(context, 'read the secrets that must not be in the bundle', () =>
      knownSecrets(store, cluster, signal),
    ),
  );
  const dir = wantedDir ?? `${cluster}-dump`;
  await makeFolder(dir);
  const settings = hostSettings(context.env, undefined);
  const bundle: Bundle = new Map();
  const gather = (
    name: string,
    work: (ending: AbortSignal) => Promise<void>,
    limitMs = PART_TIMEOUT_MS,
  ): Promise<void> =>
    inPhase(context, `gather ${name}`, () => part(bundle, name, () => within(limitMs, `gather ${name}`, signal, work)));
  const objects = async (ending: AbortSignal): Promise<void> => {
    const { kube } = await accessCluster(store, cluster, settings, { signal: ending });
    await gatherObjects(bundle, kube, ending);
  };
  const logs = async (ending: AbortSignal): Promise<void> => {
    const running = await openRunningCluster(store, cluster, settings);
    const hosts = await driverOf(stored.cluster).hostMachines?.({ cluster, storeUrl: store.url }, settings);
    const machines = await running.machines();
    const { console } = running;
    const ofCloud = {
      console: console && ((machine: string) => console(machine, ending)),
      journal: ssh && journalsBySsh(machines, ssh, ending),
    };
    await gatherMachines(bundle, machines, hosts ?? ofCloud, maxMachines);
  };
  await Promise.all([
    gather('store', (ending) => gatherStore(bundle, store, cluster, ending)),
    ...(withoutObjects === true ? [] : [gather('cluster', objects)]),
    ...(withoutMachines === true ? [] : [gather('machines', logs, ssh && SSH_TIMEOUT_MS)]),
  ]);
  const files = new Map([...bundle].map(([path, text]) => [path, clean(text)]));
  await writeFolder(dir, files);
  return { dir, files: [...files.keys()].sort() };
}

/** Only for its owner: even without secrets, a bundle says much about a cluster. */
async function makeFolder(dir: string): Promise<void> {
  try {
    await mkdir(dir, { mode: 0o700 });
  } catch (error) {
    throw new ActionableError({
      what: `write a bundle to ${dir}`,
      why: codeOf(error) === 'EEXIST' ? 'it already exists' : messageOf(error),
      next: 'name another folder with --dir',
      cause: error,
    });
  }
}
