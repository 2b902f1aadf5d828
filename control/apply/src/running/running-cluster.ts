import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { readCluster } from '../cluster-store.ts';
import { completeAndValidate } from '../complete.ts';
import { openLocal } from '../local-cluster.ts';
import type { LocalSettings } from '../local-settings.ts';
import type { ExpectedNode } from '../plan-validation.ts';
import { runningLocal } from './running-local.ts';

/** A machine as people look at it. */
export interface Machine {
  readonly name: string;
  readonly nodeName: string;
  readonly role: string;
  readonly instanceGroup: string;
  readonly address: string;
  readonly state: string;
}

/** Where an API server answers. */
export interface ApiAddress {
  readonly server: string;
  /** The name in the server's certificate, where it is not the one that is called. */
  readonly tlsServerName?: string;
}

/** What a cloud tells of a cluster that was made in it. */
export interface RunningCluster {
  /** @throws ActionableError while it has none */
  api(): Promise<ApiAddress>;
  machines(): Promise<readonly Machine[]>;
  /** What has to be a Node: what is to be is among them where it is not there yet. */
  expectedNodes(): Promise<readonly ExpectedNode[]>;
}

/** A stored cluster where it runs. Opening it asks nothing of the cloud. */
export async function openRunningCluster(
  store: StateStore,
  name: string,
  settings: LocalSettings,
): Promise<RunningCluster> {
  const stored = await readCluster(store, name);
  if (stored.cluster.spec.cloudProvider === 'local') return runningLocal(openLocal(name, settings));
  const completed = completeAndValidate(stored.cluster, stored.instanceGroups, store.url);
  const { cloudProvider } = completed.cluster.spec;
  // Loaded here because AWS's clients are large, and other clouds never need them.
  if (cloudProvider === 'aws') return (await import('./running-aws.ts')).runningAws(completed, store.url);
  throw new ActionableError({
    what: `reach the cluster ${name}`,
    why: `there is nothing yet that asks the cloud provider ${cloudProvider ?? '(none)'}`,
    next: 'use the cloud provider aws or local',
  });
}
