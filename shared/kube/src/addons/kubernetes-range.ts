type Version = readonly [number, number, number];

const OPERATORS: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '=': (order) => order === 0,
  '==': (order) => order === 0,
  '': (order) => order === 0,
  '!': (order) => order !== 0,
  '!=': (order) => order !== 0,
};

/**
 * Whether a version is in a range as kops's channels write it: comparisons that must all hold, and alternatives
 * separated by `||` (github.com/blang/semver, ParseRange). A pre-release counts as its release. Undefined when the
 * range cannot be parsed.
 */
export function fitsKubernetes(range: string, version: string): boolean | undefined {
  const actual = parseVersion(version);
  if (actual === undefined) return undefined;
  let fits = false;
  for (const alternative of range.split('||')) {
    const comparisons = [...alternative.matchAll(/([<>=!]*)\s*([^\s<>=!]+)/g)];
    if (comparisons.length === 0) return undefined;
    const outcomes = comparisons.map(([, operator = '', text = '']) => {
      const bound = parseVersion(text);
      return bound === undefined ? undefined : OPERATORS[operator]?.(compare(actual, bound));
    });
    if (outcomes.includes(undefined)) return undefined;
    fits ||= outcomes.every((outcome) => outcome === true);
  }
  return fits;
}

/** The newer of two entries with the same name; undefined when their versions do not say which that is. */
export function chooseEntry<T extends { readonly addon: { readonly version?: string } }>(a: T, b: T): T | undefined {
  const [first, second] = [parseVersion(a.addon.version ?? ''), parseVersion(b.addon.version ?? '')];
  if (first === undefined || second === undefined) return undefined;
  const order = compare(first, second);
  return order === 0 ? undefined : order > 0 ? a : b;
}

/** `v1.20.2`, `1.20.2-gke.1`, `1.20`. */
function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch = '0'] = /^v?(\d+)\.(\d+)(?:\.(\d+))?(?:[-+].*)?$/.exec(text.trim()) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
}

const compare = (a: Version, b: Version): number => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
