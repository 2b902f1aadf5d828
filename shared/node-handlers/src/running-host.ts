import type { NodeEnv } from './node-env.ts';

/**
 * Why a task that is about a running machine (its kernel, its mounts, its container runtime) does nothing here:
 * a folder other than / is somebody else's files, and this machine must not be changed in its stead.
 */
export function notThisHost(env: Pick<NodeEnv, 'root'>): string | undefined {
  return env.root === '/' ? undefined : `${env.root} is a folder, not the running host`;
}
