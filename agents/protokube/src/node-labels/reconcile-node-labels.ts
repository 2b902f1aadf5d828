import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { NODE_MARKS_FILE, type NodeMarks } from '@kopsctl/node-plan/node-marks.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { actOnObjects } from '@kopsctl/kube/act-on-objects.ts';
import { KubeError, type KubeClient } from '@kopsctl/kube/client.ts';
import type { Latest } from '@kopsctl/node-cloud/latest.ts';
import type { Leadership } from '../leader/reconcile-lease.ts';
import { keepMarksRecord } from './keep-marks-record.ts';
import { parseMarkedNode, type MarkedNode } from './parse-marked-node.ts';
import { parseNodeMarks } from './parse-node-marks.ts';
import { planNodeLabels } from './plan-node-labels.ts';

/** Nodes and machines are watched; an edited instance group is noticed within this time. */
const LOOK_AGAIN_MS = 60_000;

export interface NodeLabelsEnv {
  readonly cluster: string;
  readonly store: StateStore;
  readonly kube: KubeClient;
  readonly machines: Latest<CloudMachine>;
  readonly leadership: Leadership;
  readonly log: Log;
}

/** While this machine leads, gives every Node the labels and taints of its instance group. */
export async function reconcileNodeLabels(env: NodeLabelsEnv, signal: AbortSignal): Promise<void> {
  using wake = new Wake();
  env.leadership.ringOnChange(wake);
  env.machines.ringOnChange(wake);
  const act = async (nodes: readonly MarkedNode[], inner: AbortSignal): Promise<void> => {
    await env.leadership.whileLeading(inner, (term) => keepMarks(nodes, env, term));
  };
  const nodes = { path: '/api/v1/nodes', parse: parseMarkedNode, wake, lookAgainMs: LOOK_AGAIN_MS, act };
  await actOnObjects(env.kube, nodes, signal);
}

async function keepMarks(nodes: readonly MarkedNode[], env: NodeLabelsEnv, signal: AbortSignal): Promise<void> {
  const marks = await readMarks(env, signal);
  const record = await keepMarksRecord(marks, nodes, env.kube, signal);
  const groupOf = new Map((env.machines.items ?? []).map(({ nodeName, instanceGroup }) => [nodeName, instanceGroup]));
  for (const { node, summary, patch } of planNodeLabels(marks, record, groupOf, nodes)) {
    try {
      await env.kube.mergePatch(`/api/v1/nodes/${node}`, patch, signal);
      env.log.info('node patched', { summary });
    } catch (error) {
      // It has changed since, or is gone: the watch delivers the change and wakes this loop again.
      if (!(error instanceof KubeError && (error.status === 409 || error.status === 404))) throw error;
    }
  }
}

async function readMarks({ cluster, store }: NodeLabelsEnv, signal: AbortSignal): Promise<NodeMarks> {
  const path = `${cluster}/${NODE_MARKS_FILE}`;
  const stored = await store.read(path, signal);
  if (stored === undefined) return {};
  try {
    return parseNodeMarks(Buffer.from(stored.bytes).toString('utf8'));
  } catch (cause) {
    throw new ActionableError({
      what: `read ${path} in ${store.url}`,
      why: messageOf(cause),
      next: 'run `kopsctl apply --yes`, which writes it',
      cause,
    });
  }
}
