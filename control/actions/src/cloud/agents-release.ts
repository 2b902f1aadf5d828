import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { AgentsRelease } from '@kopsctl/model/assets/published-assets.ts';

/** The version of this program, and so of the agents that understand its plans. */
export const RELEASE = '0.1.0';

/** The release that has this program. */
export const OWN_RELEASE: AgentsRelease = {
  version: RELEASE,
  baseUrl: 'https://github.com/kopsctl/kopsctl/releases/download',
};

/** Where machines in a cloud download the agents of this version; KOPSCTL_BASE_URL names another place, as KOPS_BASE_URL does for kops. */
export function agentsRelease(env: NodeJS.ProcessEnv): AgentsRelease {
  const named = env['KOPSCTL_BASE_URL'];
  if (named === undefined || named === '') return OWN_RELEASE;
  if (/^https?:\/\/[^?#]+$/.test(named) && URL.canParse(named)) return { version: RELEASE, baseUrl: named };
  throw new ActionableError({
    what: 'find the agents for machines',
    why: `KOPSCTL_BASE_URL is ${named}, which is not an http or https address`,
    next: `name the folder above v${RELEASE}, which has the files of the release: KOPSCTL_BASE_URL=https://…; or unset it`,
  });
}
