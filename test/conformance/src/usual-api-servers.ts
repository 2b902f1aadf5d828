import { findApiServers, OTHER_VERSIONS, type VersionedApiServer } from '@kopsctl/test-peers/start-api-server.ts';
import { casesOf } from '@kopsctl/test-suite/long.ts';

/**
 * The API servers for tests that say the same of every version: the newest, and the others in the long run, or where the
 * environment names some.
 */
export async function usualApiServers(): Promise<readonly VersionedApiServer[]> {
  const found = await findApiServers();
  return process.env[OTHER_VERSIONS] === undefined ? casesOf(found.slice(-1), found.slice(0, -1)) : found;
}
