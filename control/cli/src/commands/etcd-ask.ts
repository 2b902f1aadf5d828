import { askEtcd, waitForEtcd, type Wish } from '@kopsctl/apply/etcd-ask.ts';
import { findEtcdClusters, type EtcdClusterInStore } from '@kopsctl/apply/etcd-clusters.ts';
import { parseDuration } from '@kopsctl/apply/duration.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import type { GlobalOptions } from '../program.ts';

export interface EtcdAskOptions {
  readonly etcdCluster: string;
  /** False: the command is left in the store for the managers, and nothing is waited for. */
  readonly wait: string | false;
  readonly output: 'table' | 'json';
}

/** The one etcd cluster that a command is about. */
export async function chooseEtcd(
  global: GlobalOptions,
  etcdCluster: string,
): Promise<{ readonly store: StateStore; readonly etcd: EtcdClusterInStore }> {
  const store = await openStateStore(global);
  const cluster = await chooseCluster(global, undefined, store);
  const [etcd] = await findEtcdClusters(store, cluster, etcdCluster);
  if (etcd === undefined) throw new Error('an etcd cluster that is not found is an error');
  return { store, etcd };
}

/** Asks the managers for a backup, a proof or a defragmentation, through the store, and waits for what comes of it. */
export async function etcdAsk(global: GlobalOptions, wish: Wish, options: EtcdAskOptions): Promise<number> {
  const { store, etcd } = await chooseEtcd(global, options.etcdCluster);
  const command = await askEtcd(store, etcd, wish);
  if (options.wait === false) {
    process.stdout.write(`${command}\n`);
    process.stderr.write(`asked for; \`kopsctl etcd status --etcd-cluster ${etcd.name}\` shows it while it waits\n`);
    return 0;
  }
  const narrate = (line: string) => void process.stderr.write(`${etcd.name}: ${line}\n`);
  const outcome = await waitForEtcd(store, etcd, command, parseDuration(options.wait, '--wait'), narrate);
  if (options.output === 'json') process.stdout.write(`${JSON.stringify({ command, ...outcome }, null, 2)}\n`);
  else process.stdout.write(`${outcome.result}: ${outcome.message}\n`);
  return outcome.result === 'done' ? 0 : 1;
}
