import type { RunningMachines } from '@kopsctl/model/cloud.ts';
import type { KubernetesApi } from '../access/kubernetes-api.ts';
import { type ValidationFailure, validationFailures } from '../validate/plan-validation.ts';
import { type Finding, isKnown, type NotKnown } from './evidence.ts';

/** This many are listed. */
const MAX_LISTED = 10;

/** What is wrong with the machines of an instance group, as `validate cluster` says it. */
export interface UnwellMachines {
  readonly failures: readonly ValidationFailure[];
}

/** Asks the API about the Nodes and the control plane's pods of an instance group's machines. */
export async function unwellMachines(
  group: string,
  running: RunningMachines,
  api: Pick<KubernetesApi, 'nodes' | 'systemPods'>,
  signal: AbortSignal,
): Promise<UnwellMachines> {
  const machines = running.machines.filter(({ instanceGroup }) => instanceGroup === group);
  const [nodes, systemPods] = await Promise.all([api.nodes(signal), api.systemPods(signal)]);
  const failures = validationFailures({ groups: [], running: { ...running, machines }, nodes, systemPods });
  return { failures: failures.filter(({ instanceGroup }) => instanceGroup === group) };
}

/** Which machines of an instance group to ask about next. Pure. */
export function unwellFindings(group: string, unwell: UnwellMachines | NotKnown): readonly Finding[] {
  if (!isKnown(unwell)) {
    return [
      {
        what: `the state of the Nodes of ${group} is not known: the Kubernetes API does not answer`,
        because: [unwell.failure],
        next: '`kopsctl validate cluster`, and `kopsctl explain node` with the name of a control plane',
      },
    ];
  }
  const { failures } = unwell;
  const names = [...new Set(failures.map(({ name }) => name))];
  const [first] = names;
  if (first === undefined) return [];
  const listed = failures.slice(0, MAX_LISTED).map(({ name, message }) => `${name}: ${message}`);
  const more = failures.length - listed.length;
  return [
    {
      what: `not healthy in the instance group ${group}: ${names.slice(0, MAX_LISTED).join(', ')}${names.length > MAX_LISTED ? ' and others' : ''}`,
      because: [...listed, ...(more > 0 ? [`and ${more} more`] : [])],
      next: `\`kopsctl explain node ${first}\` says why`,
    },
  ];
}
