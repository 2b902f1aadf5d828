import type { RunningMachines } from '@kopsctl/model/cloud.ts';
import type { ClusterAccess } from '../access/cluster-access.ts';
import { type ValidationFailure, validationFailures } from '../validate/plan-validation.ts';
import { askForSilence } from '../validate/silent-kubelets.ts';
import { type Finding, isKnown, type NotKnown } from './evidence.ts';

/** This many are listed. */
const MAX_LISTED = 10;

/** What is wrong with the machines of an instance group, as `validate cluster` says it. */
export interface UnwellMachines {
  readonly failures: readonly ValidationFailure[];
  /** Why it is not known whether their kubelets are silent; undefined where it is known. */
  readonly unasked?: string;
}

/** Asks the API about the Nodes and the control plane's pods of an instance group's machines. */
export async function unwellMachines(
  group: string,
  running: RunningMachines,
  {
    api,
    kube,
  }: {
    readonly api: Pick<ClusterAccess['api'], 'nodes' | 'systemPods'>;
    readonly kube: Pick<ClusterAccess['kube'], 'get' | 'timeMs'>;
  },
  signal: AbortSignal,
): Promise<UnwellMachines> {
  const machines = running.machines.filter(({ instanceGroup }) => instanceGroup === group);
  const [nodes, systemPods, silence] = await Promise.all([
    api.nodes(signal),
    api.systemPods(signal),
    askForSilence(kube, group, signal),
  ]);
  const silentMs = 'silentMs' in silence ? silence.silentMs : new Map<string, number>();
  const failures = validationFailures({ groups: [], running: { ...running, machines }, nodes, systemPods, silentMs });
  return {
    failures: failures.filter(({ instanceGroup }) => instanceGroup === group),
    ...('failure' in silence && { unasked: silence.failure }),
  };
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
  const { failures, unasked } = unwell;
  const unknown: readonly Finding[] =
    unasked === undefined
      ? []
      : [{ what: unasked, because: [], next: `\`kopsctl get nodes\` names the machines of ${group}` }];
  const names = [...new Set(failures.map(({ name }) => name))];
  const [first] = names;
  if (first === undefined) return unknown;
  const listed = failures.slice(0, MAX_LISTED).map(({ name, message }) => `${name}: ${message}`);
  const more = failures.length - listed.length;
  return [
    {
      what: `not healthy in the instance group ${group}: ${names.slice(0, MAX_LISTED).join(', ')}${names.length > MAX_LISTED ? ' and others' : ''}`,
      because: [...listed, ...(more > 0 ? [`and ${more} more`] : [])],
      next: `\`kopsctl explain node ${first}\` says why`,
    },
    ...unknown,
  ];
}
