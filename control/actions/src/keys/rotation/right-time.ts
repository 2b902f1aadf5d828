import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { ApiChoice } from '../../access/api-choice.ts';
import { accessCluster } from '../../access/cluster-access.ts';
import { hostSettings } from '../../cloud/host-settings.ts';
import { type ActionContext, note } from '../../phases/action.ts';
import { patienceOf, repeatPassing } from '../../phases/repeat-passing.ts';

interface Asking {
  readonly store: StateStore;
  readonly cluster: string;
  readonly choice: ApiChoice | undefined;
}

/**
 * The time of the API server. Where it cannot be asked, and the time is only shown, that of this computer, whose clock may be
 * wrong.
 */
export async function rightTime(
  context: ActionContext,
  ask: (signal: AbortSignal) => Promise<number>,
  { yes }: { readonly yes: boolean },
): Promise<number> {
  const { signal } = context;
  if (yes) return repeatPassing(() => ask(signal), patienceOf(context), signal);
  try {
    return await ask(signal);
  } catch (error) {
    signal.throwIfAborted();
    note(context, `Shown by the clock of this computer. ${messageOf(error)}`);
    return Date.now();
  }
}

/** @throws ActionableError where the API does not answer: then nobody knows how old tokens are */
export async function timeOfApi(
  { env, signal }: ActionContext,
  { store, cluster, choice = {} }: Asking,
): Promise<number> {
  const { kube } = await accessCluster(store, cluster, hostSettings(env, undefined), { signal, choice, env });
  try {
    return await kube.timeMs(signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new ActionableError({
      what: `find out since when pods of ${cluster} get new tokens`,
      why: `the API server, by whose clock that is measured, was not asked: ${messageOf(cause)}`,
      next: `see \`kopsctl validate cluster ${cluster}\`, and repeat the command when the API answers`,
      cause,
    });
  }
}
