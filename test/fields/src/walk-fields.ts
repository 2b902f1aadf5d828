import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { leafValues, LIST_ITEMS } from './leaf-values.ts';
import { type Outcome, planOutputs, type WrittenCluster } from './plan-outputs.ts';
import type { SchemaLeaf } from './schema-leaves.ts';
import { WRITTEN_CLUSTERS } from './written-clusters.ts';

export type WalkedKind = 'Cluster' | 'InstanceGroup';

/** What a field does, with the words of whoever refuses it. */
export type Verdict = 'acts' | `refused: ${string}` | 'told' | 'nothing' | `nothing in ${string}` | `broken: ${string}`;

const GROUPS: readonly string[] = ['nodes', 'control-plane'];

/** What a field does in each cloud; the first cloud in which it does nothing speaks for it. */
export async function walkField(kind: WalkedKind, leaf: SchemaLeaf): Promise<Verdict> {
  const verdicts: Verdict[] = [];
  for (const cloud of ['aws', 'local']) verdicts.push(await walkFieldIn(cloud, kind, leaf));
  return verdicts.find((one) => /^(nothing|broken)/.test(one)) ?? verdicts.find((one) => one !== 'acts') ?? 'acts';
}

/** Tries a field with all its values, on all clusters of a cloud, until it does something. */
async function walkFieldIn(cloud: string, kind: WalkedKind, leaf: SchemaLeaf): Promise<Verdict> {
  let verdict: Verdict = `nothing in ${cloud}`;
  for (const [name, cluster] of Object.entries(WRITTEN_CLUSTERS)) {
    if (cluster.cluster.spec.cloudProvider !== cloud) continue;
    for (const group of kind === 'Cluster' ? [undefined] : GROUPS) {
      for (const value of leafValues(leaf)) {
        const found = await tryValue(cluster, `${name} ${kind} ${group}`, leaf.path, value, group);
        if (found === 'acts' || found === 'told' || found.includes('not supported by cloudProvider')) return found;
        if (rank(found) > rank(verdict)) verdict = found === 'nothing' ? verdict : found;
      }
    }
  }
  return verdict;
}

/** A word about a field in one cluster is worth more than its silence in another. */
const rank = (verdict: Verdict): number =>
  ['nothing', 'broken', 'refused', 'told'].indexOf(verdict.split(/[: ]/)[0] ?? '');

const PLANNED = new Map<string, Promise<Outcome>>();

async function tryValue(
  cluster: WrittenCluster,
  name: string,
  path: string,
  value: unknown,
  group: string | undefined,
): Promise<Verdict> {
  const place = concretePath(path);
  const owner = place.slice(0, -1);
  const without = edited(cluster, group, (spec) => prepared(spec, path));
  const before = edited(without, group, (spec) => removed(spec, place));
  const key = `${name} ${owner.join('.')} ${JSON.stringify(before) === JSON.stringify(without) ? '' : path}`;
  try {
    const known = PLANNED.get(key) ?? planOutputs(before);
    PLANNED.set(key, known);
    const [base, outcome] = [await known, await planOutputs(edited(before, group, (spec) => put(spec, place, value)))];
    if (outcome.is === 'refused') {
      const own = outcome.faults.find((fault) => fault.path.includes(spelled(place)) || within(fault.path, place));
      return own === undefined ? 'nothing' : `refused: ${own.message}`;
    }
    if (base.is === 'refused')
      return `broken: the cluster is refused without it: ${base.faults[0]?.path} ${base.faults[0]?.message}`;
    const gi=group===undefined?0:cluster.instanceGroups.findIndex(g=>g.metadata.name===group);
    const w=group===undefined?['cluster',...place]:['instanceGroups',gi,...place];
    const read=outcome.wasRead(w);
    const strip=(o: any)=>JSON.stringify(removed(group===undefined?o.cluster:o.instanceGroups[gi],place))+JSON.stringify(group===undefined?o.instanceGroups:o.cluster);
    const completes=base.is==='planned'&&strip(base.completed)!==strip(outcome.completed);
    console.log('WALK', name.replaceAll(' ','_'), path, base.outputs!==outcome.outputs?'acts':'nothing', read?'read':'unread', completes?'completes':'-');
    if (base.outputs !== outcome.outputs) return 'acts';
    return outcome.told.some((told) => within(told, place)) ? 'told' : 'nothing';
  } catch (thrown) {
    return `broken: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}

/** `spec.hooks[].name` → spec, hooks, 0, name. */
const concretePath = (path: string): readonly (string | number)[] =>
  path.split('.').flatMap((part) => (part.endsWith('[]') ? [part.slice(0, -2), 0] : [part]));

const spelled = (place: readonly (string | number)[]): string =>
  place.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('');

/** Whether a path, as a fault names it, is that of the field or of an object around it, but not the whole spec. */
const within = (path: string, place: readonly (string | number)[]): boolean => {
  const bare = path.replace(/^instance group [^:]*: /, '');
  return (
    bare !== 'spec' &&
    bare !== '' &&
    `${spelled(place)}.`.replaceAll('[', '.[').startsWith(`${bare}.`.replaceAll('[', '.['))
  );
};

/** Switches on what the field belongs to, and gives lists around it an item. */
function prepared(spec: object, path: string): object {
  let result = spec;
  const parts = path.split('.');
  for (let length = 2; length < parts.length; length++) {
    const at = parts.slice(0, length);
    const place = concretePath(at.join('.'));
    if (at.at(-1)?.endsWith('[]') && got(result, place) === undefined) {
      result = put(result, place, LIST_ITEMS[at.join('.')] ?? {});
    }
    if (at[1] === 'networking' && length === 3) result = put(result, ['spec', 'networking'], { [at[2] ?? '']: {} });
    if (SWITCHED.test(at.join('.'))) result = put(result, [...place, 'enabled'], true);
  }
  return result;
}

/** Objects that do nothing before they are switched on. */
const SWITCHED =
  /^spec\.(awsLoadBalancerController|certManager|clusterAutoscaler|metricsServer|nodeProblemDetector|nodeTerminationHandler|podIdentityWebhook|snapshotController|cloudConfig\.awsEBSCSIDriver|kubeDNS\.nodeLocalDNS|networking\.cilium\.hubble|containerd\.(gvisor|nri|nvidiaGPU))$/;

function edited(cluster: WrittenCluster, group: string | undefined, edit: (object: object) => object): WrittenCluster {
  if (group === undefined) return { ...cluster, cluster: edit(cluster.cluster) as WrittenCluster['cluster'] };
  const change = (one: InstanceGroup) => (one.metadata.name === group ? (edit(one) as InstanceGroup) : one);
  return { ...cluster, instanceGroups: cluster.instanceGroups.map(change) };
}

function got(object: object, place: readonly (string | number)[]): unknown {
  return place.reduce<unknown>((at, part) => (at === undefined ? undefined : Reflect.get(Object(at), part)), object);
}

function put(object: object, [part, ...rest]: readonly (string | number)[], value: unknown): object {
  if (part === undefined) return Object(value);
  const inner: unknown = Reflect.get(object, part);
  const around = typeof inner === 'object' && inner !== null ? inner : typeof rest[0] === 'number' ? [] : {};
  const copy: object = Array.isArray(object) ? [...object] : { ...object };
  Reflect.set(copy, part, rest.length === 0 ? value : put(around, rest, value));
  return copy;
}

function removed(object: object, place: readonly (string | number)[]): object {
  const owner = got(object, place.slice(0, -1));
  if (typeof owner !== 'object' || owner === null || Array.isArray(owner)) return object;
  const { [String(place.at(-1))]: _, ...others } = { ...owner } as Record<string, unknown>;
  return put(object, place.slice(0, -1), others);
}
