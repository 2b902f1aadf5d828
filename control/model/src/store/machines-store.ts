import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';

/**
 * The URL of the state store as machines reach it: spec.configBase without the name of the cluster.
 *
 * @throws ActionableError if spec.configBase does not end with that name
 */
export function machinesStore({ spec, metadata: { name } }: Cluster): string {
  const base = (spec.configBase ?? '').replace(/\/$/, '');
  if (base.endsWith(`/${name}`)) return base.slice(0, -name.length - 1);
  throw new ActionableError({
    what: `compute the machines of ${name}`,
    why: `spec.configBase (${base}) does not end with the name of the cluster`,
    next: `set it to the URL of the state store as machines reach it, followed by /${name}`,
  });
}
