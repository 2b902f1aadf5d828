import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { KINDS } from '@kopsctl/spec/kinds.ts';
import { often } from '@kopsctl/test-suite/long.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeOf, withValue } from './edit-object.ts';
import { leafValues } from './leaf-values.ts';
import { type WrittenCluster, writtenOutputs } from './plan-outputs.ts';
import { schemaLeaves } from './schema-leaves.ts';
import { edited, HOLE, switchedOn } from './walk-field.ts';
import { CLUSTERS_FOR_HOLES } from './written-clusters.ts';

/** One field of a cluster or of its workers, with a value that the schema allows. */
const settings = (['Cluster', 'InstanceGroup'] as const).flatMap((kind) =>
  schemaLeaves(KINDS[kind].fields.spec, 'spec')
    .filter(({ path }) => path !== 'spec.cloudProvider')
    .flatMap((leaf) =>
      leafValues(leaf).map((value) => ({ group: kind === 'Cluster' ? undefined : 'nodes', path: leaf.path, value })),
    ),
);

/** Several fields of one cluster, set one after the other. */
function withSettings(cluster: WrittenCluster, chosen: readonly (typeof settings)[number][]): WrittenCluster {
  return chosen.reduce(
    (before, { group, path, value }) =>
      edited(before, group, (object) => withValue(switchedOn(object, path), placeOf(path), value)),
    cluster,
  );
}

/** What is written, each time with the hole that it has. @throws the error of a builder that did not expect such a spec */
async function holesOf(cluster: WrittenCluster): Promise<readonly string[] | 'refused'> {
  try {
    const outputs = await writtenOutputs(cluster);
    if (outputs === 'refused') return outputs;
    return outputs.flatMap((text) => {
      const hole = HOLE.exec(text);
      return hole === null ? [] : [text.slice(Math.max(0, hole.index - 80), hole.index + 40)];
    });
  } catch (thrown) {
    // A builder may refuse what the checks of the spec let pass, and says why.
    if (thrown instanceof ActionableError) return 'refused';
    throw thrown;
  }
}

test.each(
  Object.entries(CLUSTERS_FOR_HOLES).flatMap(([cloud, clusters]) =>
    Object.entries(clusters).map(([name, cluster]) => [cloud, name, cluster] as const),
  ),
)('the cluster of %s, %s, is planned without holes', async (_cloud, _name, cluster) => {
  expect(await holesOf(cluster)).toEqual([]);
});

test.each(Object.entries(CLUSTERS_FOR_HOLES))(
  'whatever is set together in a cluster of %s, nothing that is not there is written',
  async (_cloud, clusters) => {
    let written = 0;
    const any = fc.record({
      cluster: fc.constantFrom<WrittenCluster>(...Object.values(clusters)),
      chosen: fc.array(fc.constantFrom(...settings), { minLength: 1, maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(any, async ({ cluster, chosen }) => {
        const holes = await holesOf(withSettings(cluster, chosen));
        if (holes === 'refused') return;
        written += 1;
        expect(holes).toEqual([]);
      }),
      { numRuns: often(80, 2_000) },
    );
    // Most fields of one cloud are only named in a warning in a cluster of another cloud, so outputs are written.
    expect(written).toBeGreaterThan(10);
  },
);
