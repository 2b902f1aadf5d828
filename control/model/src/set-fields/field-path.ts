import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

/** A part of a path: the name of a field or entry, the index of a list, or every item of it. */
export type Step = { readonly name: string } | { readonly index: number } | { readonly every: true };

/**
 * Parses a path of kops: `spec.etcdClusters[*].manager.image`, `cluster.spec.addons[0].manifest`,
 * `spec.cloudLabels["a.b/c"]`.
 */
export function parsePath(text: string): readonly Step[] {
  const steps: Step[] = [];
  const token = /\.?([^.[\]"]+)|\[(\d+)\]|\[(\*)\]|\[("(?:[^"\\]|\\.)*")\]/y;
  while (token.lastIndex < text.length) {
    const [, name, index, every, quoted] = token.exec(text) ?? [];
    if (name !== undefined) steps.push({ name });
    else if (index !== undefined) steps.push({ index: Number(index) });
    else if (every !== undefined) steps.push({ every: true });
    else if (quoted !== undefined) steps.push({ name: JSON.parse(quoted) as string });
    else throw notAPath(text);
  }
  if (steps.length === 0) throw notAPath(text);
  return steps;
}

const notAPath = (text: string): ActionableError =>
  new ActionableError({
    what: `read the path '${text}'`,
    why: 'it is not a path of fields',
    next: 'write it like spec.kubernetesVersion, spec.addons[0].manifest or spec.etcdClusters[*].version',
    isUsage: true,
  });
