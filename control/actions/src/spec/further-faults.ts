import { specCloud } from '@kopsctl/clouds/control.ts';
import type { FieldError } from '@kopsctl/spec/field-error.ts';
import type { ParseResult } from '@kopsctl/spec/parse.ts';
import { validateCluster } from '@kopsctl/spec/validate.ts';

/**
 * What else is wrong with files whose objects have faults that a schema finds, so that a person learns of everything at
 * once. Fields with such faults are left out of what is checked, and nothing is said of them twice.
 */
export function furtherFaults(parsed: readonly ParseResult[]): readonly FieldError[] {
  const errors = parsed.flatMap((one) => one.errors);
  const objects = parsed.flatMap((one) => [...one.objects, ...one.faulty]);
  const [cluster, ...others] = objects.flatMap((object) => (object.kind === 'Cluster' ? [object.value] : []));
  if (cluster === undefined || others.length > 0) return [];
  const groups = objects.flatMap((object) => (object.kind === 'InstanceGroup' ? [object.value] : []));
  const lost = new Set(errors.map(({ path }) => path.split(/[.[]/).slice(0, 2).join('.')));
  return validateCluster(cluster, groups, specCloud(cluster), objects).filter(
    ({ path }) => path !== '' && !lost.has(path.split(/[.[]/).slice(0, 2).join('.')),
  );
}
