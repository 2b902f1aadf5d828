import type { CloudTraits } from '../cloud-traits.ts';
import type { Cluster } from '../cluster.ts';
import { parseDurationMs } from '../duration.ts';
import { LEAST_UNREADY_MS } from '../heal-settings.ts';
import type { InstanceGroup } from '../instance-group.ts';
import type { ObjectMeta } from '../metadata.ts';
import {
  NEVER_REPLACED,
  NODE_DRIFT_ANNOTATION,
  NODE_DRIFT_WAYS,
  REPLACE_UNREADY_ANNOTATION,
  STATE_KEY_ANNOTATION,
  WORKER_PLAN_WAYS,
  WORKER_PLANS_ANNOTATION,
} from '../own-annotations.ts';
import { joinPath } from '../read-value.ts';
import { areOfKind, parseStateKey } from '../state-key.ts';
import { fault, type Fault } from './fault.ts';

/** A misspelt setting would be ignored, and one that bars workers from the bucket or seals keys must not be. */
export function* validateOwnAnnotations(
  { metadata }: Cluster,
  instanceGroups: readonly InstanceGroup[],
  traits: Pick<CloudTraits, 'stateKeys'>,
): Iterable<Fault> {
  const ofCluster: Checks = {
    ...OF_BOTH,
    [STATE_KEY_ANNOTATION]: (path, value) => validateStateKey(path, value, traits),
    [WORKER_PLANS_ANNOTATION]: oneOf(WORKER_PLAN_WAYS, 'is not a way to get a plan'),
  };
  yield* faultsIn(metadata, ofCluster, '');
  for (const group of instanceGroups) {
    const faults = faultsIn(group.metadata, OF_BOTH, ' of an instance group');
    for (const one of faults) yield { ...one, instanceGroup: group.metadata.name };
  }
}

type Check = (path: string, value: string) => Iterable<Fault>;
type Checks = Readonly<Record<string, Check>>;

function* faultsIn({ annotations = {} }: ObjectMeta, checks: Checks, where: string): Iterable<Fault> {
  for (const [name, value] of Object.entries(annotations)) {
    if (!name.startsWith('kopsctl.io/')) continue;
    const path = joinPath('metadata.annotations', name);
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check !== undefined) yield* check(path, value);
    else
      yield fault(
        path,
        `there is no such setting${where}`,
        `the settings are ${listed(Object.keys(checks).toSorted())}`,
      );
  }
}

const listed = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

const oneOf = (ways: readonly string[], isWrong: string): Check =>
  function* (path, value) {
    if (!ways.includes(value)) yield fault(path, `'${value}' ${isWrong}`, `write ${ways.join(' or ')}`);
  };

function* validateReplaceUnready(path: string, value: string): Iterable<Fault> {
  const afterMs = value === NEVER_REPLACED ? LEAST_UNREADY_MS : parseDurationMs(value);
  const least = `${LEAST_UNREADY_MS / 60_000}m`;
  const hint = `write a duration such as 15m, at least ${least}, or ${NEVER_REPLACED}`;
  if (afterMs === undefined) yield fault(path, `'${value}' is not a duration`, hint);
  else if (afterMs < LEAST_UNREADY_MS)
    yield fault(path, `a machine that reboots may be away longer than ${value}`, hint);
}

/** Settings of a Cluster that an InstanceGroup may set differently. */
const OF_BOTH: Checks = {
  [NODE_DRIFT_ANNOTATION]: oneOf(NODE_DRIFT_WAYS, 'is not a way to handle drift'),
  [REPLACE_UNREADY_ANNOTATION]: validateReplaceUnready,
};

function* validateStateKey(
  path: string,
  value: string,
  { stateKeys }: Pick<CloudTraits, 'stateKeys'>,
): Iterable<Fault> {
  if (stateKeys === undefined) {
    yield fault(path, 'machines of this cloud cannot open sealed objects', 'remove the annotation');
    return;
  }
  const setting = parseStateKey(value);
  // The value is not quoted: it may be an identity, by mistake.
  if (setting === undefined || !areOfKind(setting, stateKeys))
    yield fault(path, 'it names no key with which machines of this cloud can open', `write ${stateKeys.form}, or none`);
}
