import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { NoSourceError } from '@kopsctl/packaging-assets/plan-recipes.ts';
import { minorOf } from '@kopsctl/spec/minor-version.ts';
import type { Candidate } from './wants-of.ts';

/**
 * Makes what the first candidate wants whose Kubernetes this machine can get, and returns that candidate. Any other failure
 * than a Kubernetes without a source is final: an older version would not mend it.
 */
export async function firstAvailable(
  [best, ...others]: readonly [Candidate, ...Candidate[]],
  make: (wants: Candidate['wants']) => Promise<unknown>,
  log: (line: string) => void,
): Promise<Candidate> {
  try {
    await make(best.wants);
    return best;
  } catch (error) {
    const [next, ...rest] = others;
    if (next === undefined || !lacksKubernetes(error, best.kubernetes)) throw error;
    log(`Kubernetes ${next.kubernetes} is tried instead of ${best.kubernetes}: ${messageOf(error)}`);
    return firstAvailable([next, ...rest], make, log);
  }
}

const lacksKubernetes = (error: unknown, version: string): boolean =>
  error instanceof NoSourceError && error.thing === `kubernetes-${minorOf(version)}`;
