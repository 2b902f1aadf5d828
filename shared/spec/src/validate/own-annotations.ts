import type { CloudTraits } from '../cloud-traits.ts';
import type { Cluster } from '../cluster.ts';
import { STATE_KEY_ANNOTATION, WORKER_PLAN_WAYS, WORKER_PLANS_ANNOTATION } from '../own-annotations.ts';
import { joinPath } from '../read-value.ts';
import { parseStateKey, type StateKeyKind } from '../state-key.ts';
import { fault, type Fault } from './fault.ts';

/** A misspelt setting would be ignored, and one that bars workers from the bucket or seals keys must not be. */
export function* validateOwnAnnotations(
  { metadata: { annotations = {} } }: Cluster,
  traits: Pick<CloudTraits, 'stateKeys'>,
): Iterable<Fault> {
  for (const [name, value] of Object.entries(annotations)) {
    if (!name.startsWith('kopsctl.io/')) continue;
    const path = joinPath('metadata.annotations', name);
    if (name === WORKER_PLANS_ANNOTATION) {
      if (!WORKER_PLAN_WAYS.some((way) => way === value))
        yield fault(path, `'${value}' is no way to get a plan`, `write ${WORKER_PLAN_WAYS.join(' or ')}`);
    } else if (name === STATE_KEY_ANNOTATION) {
      yield* validateStateKey(path, value, traits);
    } else {
      yield fault(path, 'there is no such setting', `there are ${STATE_KEY_ANNOTATION} and ${WORKER_PLANS_ANNOTATION}`);
    }
  }
}

const FORMS: Readonly<Record<StateKeyKind, string>> = {
  age: 'a recipient of age (age1…, which `age-keygen` prints)',
  'aws-kms': 'the ARN of a key of AWS KMS (arn:aws:kms:REGION:ACCOUNT:key/ID)',
  'cloud-kms': 'the name of a key of Cloud KMS (projects/PROJECT/locations/LOCATION/keyRings/RING/cryptoKeys/KEY)',
};

function* validateStateKey(
  path: string,
  value: string,
  { stateKeys }: Pick<CloudTraits, 'stateKeys'>,
): Iterable<Fault> {
  const setting = parseStateKey(value);
  if (stateKeys === undefined) {
    yield fault(
      path,
      'machines of this cloud have nothing that opens what is sealed',
      'take the annotation out; keys are possible on aws, on gce and on local machines',
    );
  } else if (setting === undefined) {
    // Not quoted: it may be an identity, by mistake.
    yield fault(path, 'it names no key', `write ${FORMS[stateKeys]}, or none`);
  } else if (setting.kind !== undefined && setting.kind !== stateKeys) {
    yield fault(path, 'machines of this cloud cannot open with such a key', `write ${FORMS[stateKeys]}`);
  }
}
