import type { Log } from '@kopsctl/agent/log.ts';
import { isNodeWarming, openNodeIdentity, openNodeStore } from '@kopsctl/clouds/node.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { nodeHandlers } from '@kopsctl/node-handlers/handlers.ts';
import { hostQuestions } from '@kopsctl/node-handlers/host-questions.ts';
import type { NodeEnv } from '@kopsctl/node-handlers/node-env.ts';
import type { Facts } from '@kopsctl/node-plan/facts.ts';
import type { BootConfig, PlanThroughAuthority } from '@kopsctl/node-plan/node-plan.ts';
import { renderTasks } from '@kopsctl/node-plan/render.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { systemClock } from '@kopsctl/tasks/clock.ts';
import type { RunInput } from '@kopsctl/tasks/run.ts';
import { readFacts } from './facts.ts';
import { readBoot } from './read-boot.ts';
import { type FetchedPlan, fetchPlan } from './fetch-plan.ts';
import type { Options } from './options.ts';
import { readRefusals } from './refusals.ts';
import { openedOnce } from './opened-once.ts';
import { readResolvConf } from './resolv-conf.ts';
import { withoutKubelet } from './without-kubelet.ts';

/** This machine's plan, with all that it takes to compare the machine with it, or to carry it out. */
export interface OpenedPlan extends FetchedPlan {
  readonly boot: BootConfig;
  readonly facts: Facts;
  readonly store: () => Promise<StateStore>;
  readonly nodeEnv: NodeEnv;
  readonly input: Omit<RunInput<NodeEnv>, 'mode'>;
}

/** Reads the plan that the boot configuration pins, and fills in this machine's facts. Changes nothing. */
export async function openPlan(
  options: Options,
  env: NodeJS.ProcessEnv,
  log: Log,
  signal: AbortSignal,
): Promise<OpenedPlan> {
  const { root } = options;
  const boot = await readBoot(options.config);
  const store = openedOnce(() => openNodeStore(boot, env, signal));
  const authority = async (through: PlanThroughAuthority) => {
    if (options.isDryRun || options.isCheck) throw planComesLater();
    const { planFromAuthority } = await import('./plan-from-authority.ts');
    const openIdentity = () => openNodeIdentity(boot.cloud, { cluster: boot.cluster, env });
    return planFromAuthority(boot, through, { openIdentity, log }, signal);
  };
  const fetched = await fetchPlan(boot, { store, authority }, root, signal);
  const { plan } = fetched;
  const known = {
    cluster: boot.cluster,
    naming: plan,
    isIpv6Only: plan.isIpv6Only === true,
    env,
    openStore: store,
  };
  const facts = {
    resolvConf: await readResolvConf(root),
    ...(await readFacts(boot.cloud, options.facts, plan.tasks, known, signal)),
    ...(boot.apiLoadBalancer !== undefined && { apiLoadBalancer: boot.apiLoadBalancer }),
    ...(boot.authorityCa !== undefined && { authorityCa: boot.authorityCa }),
  };
  const nodeEnv: NodeEnv = {
    root,
    cluster: boot.cluster,
    store,
    nowMs: () => Date.now(),
    // Only a check relies on what was refused before; a run that changes the machine tries it again.
    refused: options.isCheck ? await readRefusals(root) : new Map(),
    hashes: new Map(),
    ...hostQuestions(root),
  };
  const tasks = renderTasks(plan.tasks, facts);
  // A file of facts describes another machine than this one.
  const isWarming =
    plan.hasWarmPool === true && options.facts === undefined && (await isNodeWarming(boot.cloud, env, signal));
  if (isWarming) log.info('this machine is prepared for the warm pool of its group: kubelet is not started');
  const input = {
    tasks: isWarming ? withoutKubelet(tasks) : tasks,
    handlers: nodeHandlers,
    env: nodeEnv,
    signal,
    clock: systemClock,
    random: Math.random,
    ...(options.concurrency === undefined ? {} : { limits: { concurrency: options.concurrency } }),
  };
  return { ...fetched, boot, facts, store, nodeEnv, input };
}

/** To be given the plan, a machine has to enrol: a run that only looks must not do that. */
const planComesLater = (): ActionableError =>
  new ActionableError({
    what: 'compare this machine with its node plan',
    why: 'it has no plan yet, and gets it from an authority once it has proven which machine it is',
    next: 'start nodeup, which waits for that, and see its log: systemctl start --no-block nodeup; journalctl -fu nodeup',
  });
