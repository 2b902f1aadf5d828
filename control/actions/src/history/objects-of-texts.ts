import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { parseObjects, type ParsedObject } from '@kopsctl/spec/parse.ts';
import { InvalidSpecError } from '../spec/invalid-spec-error.ts';
import type { SpecTexts } from './spec-at.ts';

/** The kops objects of a spec, as they are in its texts. */
export interface TextObjects {
  readonly cluster: Cluster | undefined;
  readonly instanceGroups: readonly InstanceGroup[];
  readonly objects: readonly ParsedObject[];
}

/** Reads the objects of a spec's texts; `place` says in faults where the texts are. @throws InvalidSpecError */
export function objectsOfTexts(texts: SpecTexts, place: string): TextObjects {
  const parsed = [...texts]
    .filter(([path]) => path === 'config' || path.startsWith('instancegroup/'))
    .map(([path, text]) => parseObjects(text, `${place}/${path}`));
  const errors = parsed.flatMap((one) => one.errors);
  if (errors.length > 0) throw new InvalidSpecError(`read ${place}`, errors);
  const objects = parsed.flatMap((one) => one.objects);
  return {
    cluster: objects.flatMap((one) => (one.kind === 'Cluster' ? [one.value] : []))[0],
    instanceGroups: objects.flatMap((one) => (one.kind === 'InstanceGroup' ? [one.value] : [])),
    objects,
  };
}
