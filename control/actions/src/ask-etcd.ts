import type { CommandOutcome } from '@kopsctl/state-store/etcd/command.ts';
import { askEtcd, waitForEtcd, type Wish } from './etcd/etcd-ask.ts';
import { findEtcdCluster } from './etcd/etcd-clusters.ts';
import { type ActionContext, inPhase, note } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';

export interface AskRequest {
  readonly etcdCluster: string;
  /** How long the outcome is waited for; without it, the command is left in the store for the managers. */
  readonly waitMs?: number | undefined;
}

export interface AskedEtcd {
  readonly etcdCluster: string;
  /** The name by which the outcome is found. */
  readonly command: string;
  readonly outcome?: CommandOutcome;
}

/** Asks the managers of an etcd cluster for something, through the store, and waits for what comes of it. */
export async function askEtcdManagers(
  context: ActionContext,
  wish: Wish,
  { etcdCluster, waitMs }: AskRequest,
): Promise<AskedEtcd> {
  const { store, cluster } = await chooseCluster(context, undefined);
  const etcd = await findEtcdCluster(store, cluster, etcdCluster);
  const command = await inPhase(context, 'ask the managers', () => askEtcd(store, etcd, wish));
  const asked = { etcdCluster: etcd.name, command };
  if (waitMs === undefined) return asked;
  const outcome = await inPhase(context, 'wait for the managers', () =>
    waitForEtcd(store, etcd, command, waitMs, (line) => note(context, `${etcd.name}: ${line}`)),
  );
  return { ...asked, outcome };
}
