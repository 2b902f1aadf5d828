import type { Rung } from '@kopsctl/model/upgrade/plan-rungs.ts';
import type { Stage } from './operation.ts';

const stage = (what: Stage['what'], kubernetes: string, changes: Stage['changes'] = []): Stage => ({
  what,
  kubernetes,
  changes,
  state: 'waiting',
});

/** Control planes before all else, so that no kubelet is ever newer than an API server. */
const converging = (kubernetes: string): readonly Stage[] => [
  stage('update-control-planes', kubernetes),
  stage('roll-control-planes', kubernetes),
  stage('update', kubernetes),
  stage('roll', kubernetes),
];

/** The stages of an upgrade: all machines follow each change of the spec before the next. Pure. */
export const stagesOfUpgrade = (rungs: readonly Rung[]): readonly Stage[] =>
  rungs.flatMap(({ kubernetes, changes }) => [stage('set-spec', kubernetes, changes), ...converging(kubernetes)]);

/** The stages by which a cluster becomes what its spec says. Pure. */
export const stagesOfReconciliation = (kubernetes: string): readonly Stage[] => [
  ...converging(kubernetes),
  stage('prune', kubernetes),
];
