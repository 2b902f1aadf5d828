import { readFile } from 'node:fs/promises';
import type { Log } from '@kopsctl/agent/log.ts';
import { openNodeIdentity, openNodeStore } from '@kopsctl/clouds/node.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { nodeHandlers } from '@kopsctl/node-handlers/handlers.ts';
import { hostQuestions } from '@kopsctl/node-handlers/host-questions.ts';
import type { NodeEnv } from '@kopsctl/node-handlers/node-env.ts';
import type { PlanThroughAuthority } from '@kopsctl/node-plan/node-plan.ts';
import { parseBootConfig } from '@kopsctl/node-plan/boot-config.ts';
import { renderTasks } from '@kopsctl/node-plan/render.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { systemClock } from '@kopsctl/tasks/clock.ts';
import { renderPlanJson } from '@kopsctl/tasks/plan-json.ts';
import { renderPlan } from '@kopsctl/tasks/plan-text.ts';
import { run, type RunInput } from '@kopsctl/tasks/run.ts';
import { readFacts } from './facts.ts';
import { fetchPlan, keepPlan } from './fetch-plan.ts';
import { logEvent } from './log-event.ts';
import { machineFacts } from './machine-facts.ts';
import type { Options } from './options.ts';
import { Reporter } from './report.ts';
import { readResolvConf } from './resolv-conf.ts';

/** Carries out this machine's plan, or with --dry-run prints it. Resolves with the exit code. */
export async function start(options: Options, env: NodeJS.ProcessEnv, log: Log, signal: AbortSignal): Promise<number> {
  const boot = parseBootConfig(await readBoot(options.config), options.config);
  let opened: Promise<StateStore> | undefined;
  const store = () =>
    (opened ??= openNodeStore(boot, env, signal).catch((error: unknown) => {
      // The next task that needs the store tries to open it again.
      opened = undefined;
      throw error;
    }));
  const authority = async (through: PlanThroughAuthority) => {
    if (options.isDryRun) throw planComesLater();
    const { planFromAuthority } = await import('./plan-from-authority.ts');
    const openIdentity = () => openNodeIdentity(boot.cloud, { cluster: boot.cluster, env });
    return planFromAuthority(boot, through, { openIdentity, log }, signal);
  };
  const { plan, bytes } = await fetchPlan(boot, { store, authority }, options.root, signal);
  const { kubernetesVersion } = plan;
  const known = { cluster: boot.cluster, naming: { kubernetesVersion }, env, openStore: store };
  const facts = {
    resolvConf: await readResolvConf(options.root),
    ...(await readFacts(boot.cloud, options.facts, plan.tasks, known, signal)),
    ...(boot.apiLoadBalancer !== undefined && { apiLoadBalancer: boot.apiLoadBalancer }),
    ...(boot.authorityCa !== undefined && { authorityCa: boot.authorityCa }),
  };
  const nodeEnv: NodeEnv = {
    root: options.root,
    cluster: boot.cluster,
    store,
    nowMs: () => Date.now(),
    refused: new Map(),
    hashes: new Map(),
    ...hostQuestions(options.root),
  };
  const input = {
    tasks: renderTasks(plan.tasks, facts),
    handlers: nodeHandlers,
    env: nodeEnv,
    signal,
    clock: systemClock,
    random: Math.random,
    ...(options.concurrency === undefined ? {} : { limits: { concurrency: options.concurrency } }),
  };
  if (options.isDryRun) return dryRun(input, options);

  // A full disk must not end the boot here: the tasks that it stops report it.
  await keepPlan(options.root, bytes).catch((error: unknown) => {
    log.warn('plan not saved: a boot without the state store will fail', { error });
  });
  const reporter = new Reporter({
    root: options.root,
    cluster: boot.cluster,
    node: facts.nodeName,
    planHash: boot.planHash,
    // The others have an authority that takes their reports.
    store: plan.role === 'ControlPlane' ? store : undefined,
    machine: machineFacts(signal),
    log,
  });
  const result = await run({
    ...input,
    mode: 'apply',
    onEvent: (event) => {
      logEvent(log, event);
      reporter.add(event);
    },
  });
  await reporter.finish();
  if (result.cancelled) return 1;
  return result.failed > 0 || result.tasks.some((task) => task.result === 'skipped') ? 1 : 0;
}

async function dryRun(input: Omit<RunInput<NodeEnv>, 'mode'>, options: Options): Promise<number> {
  const result = await run({ ...input, mode: 'plan' });
  process.stdout.write(options.output === 'json' ? renderPlanJson(result) : renderPlan(result));
  if (result.failed > 0) return 1;
  return result.changed > 0 && options.exitCode ? 2 : 0;
}

/** To be given the plan, a machine has to enrol: a dry run must not. */
const planComesLater = (): ActionableError =>
  new ActionableError({
    what: 'show what the node plan would change',
    why: 'this machine has no plan yet, and gets it from an authority once it has proven which one it is',
    next: 'start nodeup, which waits for that, and see its log: systemctl start --no-block nodeup; journalctl -fu nodeup',
  });

async function readBoot(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw new ActionableError({
      what: `read the boot configuration ${path}`,
      why: messageOf(error),
      next: "the machine's user-data writes it; name another one with --config",
      cause: error,
    });
  });
}
