import { expect, test } from 'vitest';
import { kubernetesComparisons } from './kubernetes-comparisons.ts';

const PLACE = 'control/actions/src/some.ts';

test.each([
  ["semver.lt(release, '1.23.0');", ['1.23.0']],
  ["if (semver.satisfies(version, '>=1.24')) go();", ['>=1.24']],
  ["lt(release, 'v1.30.0');", ['v1.30.0']],
  ["const FIRST = '1.31.0';\nconst has = semver.gte(release, FIRST);", ['1.31.0']],
  ["isAtLeast(version, '1.36.0');", ['1.36.0']],
  ["const has = version.localeCompare('1.30.0', 'en', { numeric: true }) >= 0;", ['1.30.0']],
  ["byKubernetes([{ since: '1.22.0', use: 1 }], version);", ['1.22.0']],
  ["const ROWS = [{ network: 'weave', until: '1.23.0' }];", ['1.23.0']],
])('%j compares with a version of Kubernetes', (text, versions) => {
  expect(kubernetesComparisons(PLACE, text)).toEqual(
    versions.map((version) => expect.stringContaining(`compares with Kubernetes ${version}:`)),
  );
});

test.each([
  "semver.lt(version, '1.7.0');",
  "semver.gte(version, '2.0.0');",
  "isAtLeast(version, '3.5.26');",
  'semver.lt(version, OLDEST_KUBERNETES);',
  "const tool = { name: 'crictl', version: '1.29.0' };",
  "const hint = 'e.g. 1.20.2';",
])('%j does not', (text) => {
  expect(kubernetesComparisons(PLACE, text)).toEqual([]);
});

test.each([
  'shared/spec/src/kubernetes-versions.ts',
  'clouds/gce/control/kubernetes-versions.ts',
  'clouds/aws/control/addon-rules.ts',
  'clouds/aws/control/addons/ebs-csi.ts',
  'control/model/src/addons/networking/hubble.ts',
])('%s has rows of its own', (path) => {
  expect(kubernetesComparisons(path, "semver.lt(release, '1.23.0');")).toEqual([]);
});

test('the line is told', () => {
  expect(kubernetesComparisons(PLACE, "const a = 1;\nsemver.lt(release, '1.23.0');")).toEqual([
    `${PLACE}:2 compares with Kubernetes 1.23.0: state the fact in shared/spec/src/kubernetes-versions.ts`,
  ]);
});
