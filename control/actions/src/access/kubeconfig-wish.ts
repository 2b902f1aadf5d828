import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { hostSettings } from '../cloud/host-settings.ts';
import { type ActionContext, inPhase } from '../phases/action.ts';
import type { ApiChoice } from './api-choice.ts';
import { accessCluster, type ClusterAccess, exportAccess } from './cluster-access.ts';
import type { KubeconfigUser } from './kubeconfig.ts';
import { kubeconfigPath, readKubeconfig } from './kubeconfig-file.ts';

/** How a person wants a cluster in a kubeconfig. */
export interface KubeconfigWish extends ApiChoice {
  /** How long the administrator's certificate is valid; ADMIN_LIFETIME_HOURS unless given. */
  readonly lifetimeMs?: number | undefined;
  /** A user that the kubeconfig has already, in place of an administrator. */
  readonly user?: string | undefined;
  /** kubectl asks kopsctl for an administrator's certificate that is valid for an hour whenever it needs one. */
  readonly usesPlugin?: boolean | undefined;
  /** The file, in place of the one that kubectl writes. */
  readonly file?: string | undefined;
}

/** Writes the access to a cluster into a kubeconfig. Resolves with the file. */
export async function writeKubeconfigOf(
  context: ActionContext,
  store: StateStore,
  cluster: string,
  wish: KubeconfigWish,
): Promise<string> {
  const { lifetimeMs, apiServer, isInternal, asksCloud, file } = wish;
  const { env, signal } = context;
  const settings = hostSettings(env, undefined);
  const access = await inPhase(context, 'find the API', () =>
    accessCluster(store, cluster, settings, { lifetimeMs, signal, env, choice: { apiServer, isInternal, asksCloud } }),
  );
  const path = file ?? kubeconfigPath(env);
  const plugin = [...settings.ownCommand, 'helpers', 'kubectl-auth', '--name', cluster, '--state', store.url];
  await inPhase(context, 'write the kubeconfig', async () =>
    exportAccess(access, cluster, path, await userOf(wish, access, path, plugin)),
  );
  return path;
}

async function userOf(
  { user, usesPlugin = false }: KubeconfigWish,
  { credentials }: ClusterAccess,
  path: string,
  [command = 'kopsctl', ...args]: readonly string[],
): Promise<KubeconfigUser> {
  if (user === undefined) {
    return usesPlugin ? { kind: 'command', command: [command, ...args] } : { kind: 'admin', credentials };
  }
  const users = (await readKubeconfig(path))?.users?.map(({ name }) => name) ?? [];
  if (users.includes(user)) return { kind: 'existing', name: user };
  throw new ActionableError({
    what: `use the user ${user} of the kubeconfig ${path}`,
    why: `it has ${users.length === 0 ? 'no users' : `only ${users.join(', ')}`}`,
    next: `add it with \`kubectl config set-credentials ${user} …\`, or leave --user out`,
  });
}
