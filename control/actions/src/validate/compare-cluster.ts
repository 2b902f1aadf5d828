import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import type { ExpectedNode, RunningMachines } from '@kopsctl/model/cloud.ts';
import type { ClusterAccess } from '../access/cluster-access.ts';
import type { NodeStatus, PodStatus } from '../access/kubernetes-objects.ts';
import { within } from '../phases/within.ts';
import { driftWarnings } from './plan-drift-warnings.ts';
import { validationFailures, type ValidationFailure, type WantedGroup } from './plan-validation.ts';
import { askForSilence } from './silent-kubelets.ts';

/** What one look at a cluster found. */
export interface ClusterFindings {
  /** Empty: the cluster is valid. */
  readonly failures: readonly ValidationFailure[];
  /** What will fail before long, or is not as planned. */
  readonly warnings: readonly ValidationFailure[];
  readonly machines: readonly ExpectedNode[];
  readonly nodes: readonly NodeStatus[];
}

/** A cloud lists a thousand machines in a few seconds. */
const CLOUD_TIMEOUT_MS = 20_000;

/** Instance groups whose machines come from groups of the cloud; Karpenter's come and go as pods need them. */
const groupsOf = ({ completed }: Pick<ClusterAccess, 'completed'>): readonly WantedGroup[] =>
  completed.instanceGroups
    .filter(({ spec }) => spec.manager !== 'Karpenter')
    .map((group) => ({ name: group.metadata.name, role: roleOf(group), minSize: group.spec.minSize ?? 0 }));

/**
 * Compares the machines of a cluster with its Nodes and its own pods. What the cloud or the API does not say in time is
 * a failure that names it.
 */
export async function compareCluster(
  access: Pick<ClusterAccess, 'completed' | 'running' | 'api' | 'kube' | 'server'>,
  maxUnreadyNodes: number,
  signal: AbortSignal,
): Promise<ClusterFindings> {
  const { name } = access.completed.cluster.metadata;
  const failures: ValidationFailure[] = [];
  const attempt = async <Answer>(kind: 'Cloud' | 'API', asking: Promise<Answer>): Promise<Answer | undefined> => {
    try {
      return await asking;
    } catch (error) {
      failures.push({ kind, name, message: messageOf(error) });
      return undefined;
    }
  };
  const [running, told, silence] = await Promise.all([
    attempt(
      'Cloud',
      within<RunningMachines>(CLOUD_TIMEOUT_MS, `list the machines of ${name}`, signal, (ending) =>
        access.running.runningMachines(ending),
      ),
    ),
    attempt<readonly [readonly NodeStatus[], readonly PodStatus[]]>(
      'API',
      Promise.all([access.api.nodes(signal), access.api.systemPods(signal)]),
    ),
    askForSilence(access.kube, name, signal),
  ]);
  const [nodes, systemPods] = told ?? [[], []];
  if (running !== undefined && told !== undefined) {
    const silentMs = 'silentMs' in silence ? silence.silentMs : new Map<string, number>();
    const observed = { groups: groupsOf(access), running, nodes, systemPods, silentMs };
    failures.push(...validationFailures(observed, maxUnreadyNodes));
  }
  const unasked: readonly ValidationFailure[] =
    told !== undefined && 'failure' in silence ? [{ kind: 'API', name, message: silence.failure }] : [];
  return { failures, warnings: [...driftWarnings(nodes), ...unasked], machines: running?.machines ?? [], nodes };
}
