import { writeFile } from 'node:fs/promises';
import { applyCluster, type ApplyRequest } from '@kopsctl/apply/apply-cluster.ts';
import { accessCluster, exportAccess } from '@kopsctl/apply/cluster-access.ts';
import { readCluster, writeObject } from '@kopsctl/apply/cluster-store.ts';
import { completeAndValidate } from '@kopsctl/apply/complete.ts';
import { parseDuration } from '@kopsctl/apply/duration.ts';
import { followCluster } from '@kopsctl/apply/follow-cluster.ts';
import { networkFacts } from '@kopsctl/apply/network-facts.ts';
import { kubeconfigPath } from '@kopsctl/apply/kubeconfig-file.ts';
import type { Lifecycles, Phase } from '@kopsctl/apply/lifecycle.ts';
import { localSettings } from '@kopsctl/apply/local-settings.ts';
import { plannedSpec, readSavedPlan } from '@kopsctl/apply/planned-spec.ts';
import { printSavedPlan, refuseMoved, specVersions, type SavedPlan } from '@kopsctl/apply/saved-plan.ts';
import { readSubmitted, type Submitted } from '@kopsctl/apply/spec-files.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { renderPlanJson } from '@kopsctl/tasks/plan-json.ts';
import { renderPlan } from '@kopsctl/tasks/plan-text.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import type { GlobalOptions } from '../program.ts';
import { interruption } from '../interruption.ts';
import { tellLeftOut } from '../left-out.ts';
import { describeProgress, describeTaskEvent } from '../progress.ts';

export interface ApplyOptions {
  readonly filename?: readonly string[];
  readonly yes?: boolean;
  readonly prune?: boolean;
  /** A duration, or false for --no-wait. */
  readonly wait?: string | false;
  readonly exitCode?: boolean;
  readonly output: 'text' | 'json';
  readonly assets?: string;
  /** A file to save the plan in. */
  readonly out?: string;
  readonly phase?: Phase;
  readonly lifecycles?: Lifecycles;
  readonly maxTaskDurationMs?: number;
}

/** Plans, or with --yes applies, a cluster; then waits until it is valid. A saved plan is applied as it was seen. */
export async function apply(
  global: GlobalOptions,
  planFile: string | undefined,
  options: ApplyOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const store = await openStateStore(global);
  const settings = localSettings(env, options.assets);
  const waitMs = typeof options.wait === 'string' ? parseDuration(options.wait, '--wait') : 0;
  const saved = planFile === undefined ? undefined : await readSavedPlan(planFile, store);
  const wanted = await wantedBy(global, store, options.filename, saved);
  const applies = options.yes === true || saved !== undefined;
  const facts = await networkFacts(wanted.cluster, settings);
  const completed = completeAndValidate(wanted.cluster, wanted.instanceGroups, store.url, wanted.objects, facts);
  tellLeftOut(completed.cluster);
  const signal = interruption();
  const startedMs = Date.now();
  const say = (line: string | undefined) => {
    if (line !== undefined) process.stderr.write(`${line}\n`);
  };

  const writeSpec = async () => {
    for (const change of wanted.changes) await writeObject(store, change);
  };
  const spec = saved === undefined && options.out === undefined ? {} : await specVersions(store, wanted.name);
  if (applies && saved === undefined) await writeSpec();
  let plannedTasks: Parameters<NonNullable<ApplyRequest['onPlanned']>>[1] = [];
  const result = await applyCluster({
    store,
    completed,
    settings,
    mode: applies ? 'apply' : 'plan',
    prune: saved?.prune ?? options.prune ?? false,
    ...(options.phase === undefined ? {} : { phase: options.phase }),
    ...(options.lifecycles === undefined ? {} : { lifecycles: options.lifecycles }),
    ...(options.maxTaskDurationMs === undefined ? {} : { maxTaskDurationMs: options.maxTaskDurationMs }),
    onPlanned: (_planned, tasks) => {
      plannedTasks = tasks;
    },
    ...(saved === undefined
      ? {}
      : {
          confirm: async (planned, tasks) => {
            refuseMoved(saved, { spec, planned, tasks });
            await writeSpec();
          },
        }),
    onEvent: (event) => {
      if (applies) say(describeTaskEvent(event, startedMs));
    },
    say,
    signal,
  });
  if (!applies) {
    const specChanges = wanted.changes.filter(({ change }) => change !== 'none');
    if (options.output === 'json') process.stdout.write(renderPlanJson(result));
    else {
      for (const { path, change } of specChanges) process.stdout.write(`Will ${change} ${path} (your spec)\n`);
      process.stdout.write(renderPlan(result));
    }
    const pending = result.changed > 0 || specChanges.length > 0 || result.deletions.length > 0;
    if (pending && result.failed === 0 && options.out === undefined) say('Add --yes to apply these changes.');
    if (result.failed > 0) return 1;
    if (options.out !== undefined) {
      const { name: cluster, changes } = wanted;
      const plan = { cluster, store: store.url, prune: options.prune ?? false, spec, changes };
      await writeFile(options.out, printSavedPlan(plan, result, plannedTasks));
      say(`The plan is saved. Next: kopsctl apply ${options.out} --state ${store.url}`);
    }
    return pending && options.exitCode === true ? 2 : 0;
  }
  if (result.failed > 0 || result.cancelled) {
    process.stdout.write(renderPlan(result));
    return 1;
  }
  say(result.changed === 0 ? 'no changes' : `applied ${result.changed} changes`);
  if (options.wait === false) return 0;

  const access = await accessCluster(store, wanted.name, settings);
  const kubeconfig = kubeconfigPath(env);
  await exportAccess(access, wanted.name, kubeconfig);
  const { failures } = await followCluster({
    store,
    cluster: wanted.name,
    expected: () => access.expectedNodes(),
    api: access.api,
    onProgress: (progress) => {
      // Where nothing was changed, how the machines once booted is no news.
      if (result.changed > 0) say(describeProgress(progress, startedMs));
    },
    deadlineMs: Date.now() + waitMs,
    signal,
  });
  if (failures.length > 0) {
    for (const failure of failures) say(`${failure.kind} ${failure.name}: ${failure.message}`);
    say(`Error: the cluster ${wanted.name} is not valid yet`);
    say(
      'Next:  look at a machine with `kopsctl toolbox console MACHINE`, or wait on: `kopsctl validate cluster --wait 10m`',
    );
    return 1;
  }
  const after = result.changed > 0 ? ` after ${((Date.now() - startedMs) / 1000).toFixed(1)} s` : '';
  say(`The cluster ${wanted.name} is ready${after}.`);
  process.stdout.write(
    [
      `kubectl is configured in ${kubeconfig}. Next:`,
      '  kubectl get nodes',
      `  kopsctl validate cluster ${wanted.name} --state ${store.url}`,
      `  kopsctl delete cluster ${wanted.name} --state ${store.url} --yes`,
      '',
    ].join('\n'),
  );
  return 0;
}

/** What is to be: the files' objects, those of a saved plan, or what the store holds. */
async function wantedBy(
  global: GlobalOptions,
  store: StateStore,
  files: readonly string[] | undefined,
  saved: SavedPlan | undefined,
): Promise<Submitted> {
  if (saved !== undefined) {
    return { name: saved.cluster, ...(await plannedSpec(store, saved)), changes: saved.changes, objects: [] };
  }
  if (files !== undefined) return readSubmitted(files, store);
  const name = await chooseCluster(global, undefined, store);
  return { name, ...(await readCluster(store, name)), changes: [], objects: [] };
}
