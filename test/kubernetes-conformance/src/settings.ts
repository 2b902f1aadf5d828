import type { TestSet } from './test-sets.ts';

/** The number of workers in cluster.yaml. */
export const WORKERS = 2;

/** What differs from the quickstart, each with its reason. */
export const SETTINGS: readonly string[] = [
  `\`minSize\` and \`maxSize\` of the workers are ${String(WORKERS)}, not 1 (\`test/kubernetes-conformance/cluster.yaml\`): the suite has tests that need two nodes that take pods.`,
  'The name is `conformance.local.test`, and the state store and the folder of the machines are temporary: the cluster runs beside others, and is deleted afterwards.',
  "The folder of prepared assets is its own: it also holds the suite's images, which no other cluster should import.",
  'A registry on the computer stands for `registry.k8s.io` and the others, as for every cluster of local machines, and serves the images of that folder: the machines reach no other one.',
];

/** How ginkgo runs the sets, and what the suite is told about the cluster. */
export function suiteSettings(sets: readonly Pick<TestSet, 'name' | 'processes'>[]): readonly string[] {
  const processes = sets.map(({ name, processes: count }) => `${String(count)} (${name})`).join(', ');
  return [
    `\`ginkgo --procs\`: ${processes}. More at a time than the processors of the computer, because most tests wait for the cluster; the tests that change a node or the whole cluster are run alone.`,
    '`--provider=skeleton`: there is no cloud that the suite could ask.',
    `\`--num-nodes=${String(WORKERS)}\` and \`--allowed-not-ready-nodes=0\`: every worker has to be Ready.`,
    '`--timeout=2h`: of a set, so that a cluster that hangs ends the run.',
  ];
}
