import semver from 'semver';

export interface LadderInput {
  /** The version that was applied last. */
  readonly applied: string;
  /** What machines run. */
  readonly running: readonly string[];
  readonly target: string;
  /** The patch release by which a minor version is passed. */
  readonly patchOf: (minor: string) => string;
}

/**
 * The versions that a cluster goes through, in this order: minor by minor, because API servers may differ by one only
 * (kubernetes.io, "Version Skew Policy"). Machines that stayed behind what was applied come first. Empty where the version
 * stays. Pure.
 */
export function versionLadder({ applied, running, target, patchOf }: LadderInput): readonly string[] {
  const [from, to] = [semver.minor(applied), semver.minor(target)];
  const isBehind = to > from && running.some((version) => semver.minor(version) < from);
  const between = Array.from({ length: Math.max(0, to - from - 1) }, (_, index) =>
    patchOf(`${semver.major(target)}.${from + index + 1}`),
  );
  return [...(isBehind ? [applied] : []), ...between, ...(semver.eq(applied, target) ? [] : [target])];
}

/** Why a cluster must not go from one version to another in one step. Undefined if it may. Pure. */
export function stepFault(from: string, to: string): string | undefined {
  const [old, wanted] = [semver.parse(from), semver.parse(to)];
  if (old === null || wanted === null) return undefined;
  const minors = wanted.minor - old.minor;
  if (minors > 1) return `the step from ${from} to ${to} skips a minor version, and API servers may differ by only one`;
  if (minors < 0) {
    return `the step from ${from} to ${to} goes back a minor version, and an older API server does not know what a newer one stored`;
  }
  return undefined;
}
