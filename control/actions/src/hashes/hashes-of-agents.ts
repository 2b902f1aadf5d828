import { agentsBinary } from '@kopsctl/model/assets/published-assets.ts';
import { OWN_RELEASE } from '../cloud/agents-release.ts';
import { addressOf } from './pin-files.ts';
import type { FileHashes } from './recorded-hashes.ts';

type Arch = Parameters<typeof agentsBinary>[1];

/** The SHA-256 of agents, in hex, by the processor that they are for. */
export type AgentHashes = Readonly<Partial<Record<Arch, string>>>;

/** Put here by the bundler of a release, which makes the agents first. Not defined where kopsctl was built in any other way. */
declare const KOPSCTL_AGENT_HASHES: AgentHashes;

/**
 * The hashes of the agents in the release that has this program, by their addresses there. So somebody who controls that
 * address still cannot choose what machines run.
 */
export function hashesOfAgents(
  hashes: AgentHashes = typeof KOPSCTL_AGENT_HASHES === 'undefined' ? {} : KOPSCTL_AGENT_HASHES,
): FileHashes {
  const known = Object.entries(hashes) as (readonly [Arch, string])[];
  return new Map(known.map(([arch, sha256]) => [addressOf(agentsBinary(OWN_RELEASE, arch)), sha256]));
}
