import type { NodeEnv } from './node-env.ts';

/**
 * Why a task about a running machine (its kernel, its mounts, its container runtime) does nothing here: a folder other
 * than / holds the files of another host, and this machine must not be changed in its place.
 */
export function notThisHost(env: Pick<NodeEnv, 'root'>): string | undefined {
  return env.root === '/' ? undefined : `${env.root} is a folder, not the running host`;
}
