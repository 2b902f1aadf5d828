import { setFields } from '@kopsctl/model/set-fields/set-fields.ts';
import type { Rung } from '@kopsctl/model/upgrade/plan-rungs.ts';
import type { SpecChange } from '@kopsctl/model/upgrade/propose-upgrade.ts';
import type { ActionContext } from '../phases/action.ts';
import { type Preparation, prepareCluster } from '../phases/prepare-cluster.ts';
import type { WantedCluster } from '../phases/wanted-cluster.ts';

/**
 * Completes and checks the spec of each step of an upgrade and works out its tasks, so that one that cannot be made is
 * refused before the first is begun. Changes nothing.
 */
export async function checkRungs(
  context: ActionContext,
  rungs: readonly Rung[],
  { wanted, ...preparation }: Preparation,
): Promise<void> {
  // What it tells is told again when the step is applied.
  const silent: ActionContext = { ...context, onEvent: () => {} };
  let next = wanted;
  for (const { changes } of rungs) {
    next = changes.reduce(withChange, next);
    await prepareCluster(silent, { ...preparation, wanted: next });
  }
}

const withChange = (wanted: WantedCluster, { kind, name, set }: SpecChange): WantedCluster =>
  kind === 'Cluster'
    ? { ...wanted, cluster: setFields(wanted.cluster, set) }
    : {
        ...wanted,
        instanceGroups: wanted.instanceGroups.map((group) =>
          group.metadata.name === name ? setFields(group, set) : group,
        ),
      };
