import type { KubeconfigWish } from '@kopsctl/actions/access/kubeconfig-wish.ts';
import { parseDuration } from './duration.ts';
import { usageError } from './usage-error.ts';

/** Flags that say how a cluster comes into a kubeconfig. */
export interface KubeconfigOptions {
  /** A duration. */
  readonly admin?: string;
  readonly apiServer?: string;
  readonly internal?: boolean;
  readonly user?: string;
}

export function kubeconfigWish({ admin, apiServer, internal, user }: KubeconfigOptions): KubeconfigWish {
  if (admin !== undefined && user !== undefined) {
    throw usageError({
      what: 'choose the user of the kubeconfig',
      why: `--admin and --user ${user} cannot be used together`,
      next: 'leave one of them out',
    });
  }
  return {
    apiServer,
    isInternal: internal,
    user,
    ...(admin !== undefined && { lifetimeMs: parseDuration(admin, '--admin') }),
  };
}
