import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { placeOf, type Place, spelled, valueAt, withoutValue, withParents, withValue } from './edit-object.ts';
import { leafValues, NEIGHBOURS, SURROUNDINGS } from './leaf-values.ts';
import { type Outcome, planOutputs, type WrittenCluster } from './plan-outputs.ts';
import type { SchemaLeaf } from './schema-leaves.ts';

export type WalkedKind = 'Cluster' | 'InstanceGroup';

/**
 * What a field does, with the message that refuses it. Where another field is refused with it, this walk knows no cluster that
 * suits it; what a builder did not expect, and what is written with a hole, is broken whatever the field does elsewhere.
 */
export type Verdict = 'acts' | 'told' | `refused: ${string}` | 'nothing' | `unsuited: ${string}` | `broken: ${string}`;

const GROUPS: readonly string[] = ['nodes', 'control-plane', 'apiservers', 'bastions'];

/** What JavaScript writes for absent values. */
export const HOLE = /\bundefined\b|\bNaN\b|\[object Object\]/;

/** Worst first: a word about a field in one cluster is worth more than its silence in another. */
const ORDER = ['unsuited', 'nothing', 'refused', 'told', 'acts', 'broken'];
const rank = (verdict: Verdict): number => ORDER.indexOf(verdict.split(':')[0] ?? '');

/**
 * Sets a field alone, with all its values, in one cluster after the other, and in each of their groups, until it does
 * something or is reported.
 *
 * @param everywhere goes on after that, to find where it breaks something
 */
export async function walkField(
  clusters: Readonly<Record<string, WrittenCluster>>,
  kind: WalkedKind,
  leaf: SchemaLeaf,
  everywhere = false,
): Promise<Verdict> {
  let verdict: Verdict = 'unsuited: not tried';
  let first: Verdict | undefined;
  for (const [name, cluster] of Object.entries(clusters)) {
    for (const group of kind === 'Cluster' ? [undefined] : groupsOf(cluster)) {
      for (const value of leafValues(leaf)) {
        const found = await tryValue(cluster, `${name} ${kind} ${group}`, leaf.path, value, group);
        if (found.startsWith('broken')) return found;
        // Of most fields of bastions is told that bastions do not read them, which says nothing of other groups.
        if (group === 'bastions' && found === 'told') continue;
        if (rank(found) >= rank(verdict)) verdict = found;
        if (found === 'acts' || found === 'told') first ??= found;
        if (first !== undefined && !everywhere) return first;
      }
    }
  }
  return first ?? verdict;
}

const groupsOf = ({ instanceGroups }: WrittenCluster): readonly string[] =>
  GROUPS.filter((group) => instanceGroups.some(({ metadata }) => metadata.name === group));

/** What is made of the clusters without a field, so that the fields of one object share it. */
const PLANNED = new Map<string, Promise<Outcome>>();

async function tryValue(
  cluster: WrittenCluster,
  name: string,
  path: string,
  value: unknown,
  group: string | undefined,
): Promise<Verdict> {
  const place = placeOf(path);
  // What an object does by being there is not what the field does: it is there without the field too.
  const switched = edited(cluster, group, (spec) => switchedOn(spec, path));
  const prepared = edited(switched, group, (spec) => withParents(spec, place));
  const without = edited(prepared, group, (spec) => withoutValue(spec, place));
  try {
    const after = await planOutputs(edited(without, group, (spec) => withValue(spec, place, value)));
    if (after.is === 'refused') return refusal(after, place);
    const hole = HOLE.exec(after.outputs);
    if (hole !== null) return `broken: ${around(after.outputs, hole.index)} is written`;
    if (after.told.some((told) => within(told.path, place))) return 'told';
    // A field that must be there is compared with another value of it, or with a cluster that lacks its object.
    const base = (await planned(name, without)) ?? (await planned(name, prepared)) ?? (await planned(name, switched));
    if (base === undefined) return 'unsuited: the cluster cannot be planned without it';
    return base === after.outputs ? 'nothing' : 'acts';
  } catch (thrown) {
    // A builder may refuse what the checks of the spec let pass, and says why; such a value is not a value that works.
    if (thrown instanceof ActionableError) return `unsuited: ${thrown.message}`;
    return `broken: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}

function around(text: string, index: number): string {
  return text.slice(Math.max(0, index - 40), index + 20);
}

function refusal({ faults }: Extract<Outcome, { is: 'refused' }>, place: Place): Verdict {
  const parts = new Set([spelled(place), `${spelled(place.slice(0, -1))}.enabled`]);
  const own = faults.find((fault) => [...parts].some((part) => fault.path.includes(part)) || within(fault.path, place));
  return own === undefined ? `unsuited: ${faults[0]?.path} ${faults[0]?.message}` : `refused: ${own.message}`;
}

/** What is made of a cluster; undefined where it is refused. */
async function planned(name: string, cluster: WrittenCluster): Promise<string | undefined> {
  const key = `${name} ${JSON.stringify(cluster)}`;
  const known = PLANNED.get(key) ?? planOutputs(cluster);
  PLANNED.set(key, known);
  try {
    const outcome = await known;
    return outcome.is === 'planned' ? outcome.outputs : undefined;
  } catch {
    // A builder may refuse what the checks of the spec let pass.
    return undefined;
  }
}

/** Whether a path, as a fault names it, is that of the field or of an object around it, but not the whole spec. */
function within(path: string, place: Place): boolean {
  const bare = path.replace(/^instance group [^:]*: /, '');
  const dotted = (text: string): string => `${text}.`.replaceAll('[', '.[');
  return bare !== 'spec' && bare !== '' && dotted(spelled(place)).startsWith(dotted(bare));
}

/** Objects that do nothing before they are switched on. */
const SWITCHED =
  /^spec\.(awsLoadBalancerController|certManager|clusterAutoscaler|metricsServer|nodeProblemDetector|nodeTerminationHandler|podIdentityWebhook|snapshotController|cloudConfig\.awsEBSCSIDriver|kubeDNS\.nodeLocalDNS|networking\.cilium\.(hubble|ingress|gatewayAPI)|karpenter|containerd\.(gvisor|nri|nvidiaGPU))$/;

/** Switches on what the field belongs to, and gives lists around it an item. */
export function switchedOn(object: object, path: string): object {
  const parts = path.split('.');
  let result = object;
  for (let length = 2; length < parts.length; length++) {
    const parent = parts.slice(0, length).join('.');
    const place = placeOf(parent);
    if (length === 3 && parts[1] === 'networking') {
      result = withValue(result, ['spec', 'networking'], { [parts[2] ?? '']: {} });
    }
    const needed = SURROUNDINGS[parent] ?? (parent.endsWith('[]') ? {} : undefined);
    if (needed !== undefined && Object.keys(Object(valueAt(result, place))).length === 0) {
      result = withValue(result, place, needed);
    }
    if (/^spec\.(awsLoadBalancerController|podIdentityWebhook|networking\.cilium\.hubble)$/.test(parent)) {
      result = withValue(result, ['spec', 'certManager', 'enabled'], true);
    }
    if (SWITCHED.test(parent)) result = withValue(result, [...place, 'enabled'], true);
  }
  return (NEIGHBOURS[path] ?? []).reduce((object, [at, value]) => withValue(object, placeOf(at), value), result);
}

export function edited(
  cluster: WrittenCluster,
  group: string | undefined,
  edit: (object: object) => object,
): WrittenCluster {
  // The edited object has the shape of the one before, and a value that the schema allows.
  if (group === undefined) return { ...cluster, cluster: edit(cluster.cluster) as WrittenCluster['cluster'] };
  const change = (one: InstanceGroup) => (one.metadata.name === group ? (edit(one) as InstanceGroup) : one);
  return { ...cluster, instanceGroups: cluster.instanceGroups.map(change) };
}
