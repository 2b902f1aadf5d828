import type { AgentsRelease } from '@kopsctl/model/published-assets.ts';

/** The version of this program, and so of the agents that understand its plans. */
export const RELEASE = '0.1.0';

const DEFAULT_BASE_URL = 'https://github.com/kopsctl/kopsctl/releases/download';

/** Where machines in a cloud download the agents of this version; KOPSCTL_BASE_URL names a mirror, as KOPS_BASE_URL does for kops. */
export function agentsRelease(env: NodeJS.ProcessEnv): AgentsRelease {
  return { version: RELEASE, baseUrl: env['KOPSCTL_BASE_URL'] ?? DEFAULT_BASE_URL };
}
