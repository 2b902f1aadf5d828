import type { AgentHashes } from '@kopsctl/actions/hashes/hashes-of-agents.ts';
import { type Bundle, bundle } from '@kopsctl/packaging-binary/bundle.ts';

/** Bundles the CLI of a release, which knows the agents of the same release by their hashes. */
export const bundleCli = (agents: AgentHashes, dir: string): Promise<Bundle> =>
  bundle('cli-entry.ts', dir, { KOPSCTL_AGENT_HASHES: agents });
