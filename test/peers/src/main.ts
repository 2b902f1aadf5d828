import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { ensureHostTools } from '@kopsctl/packaging-assets/host-tools.ts';
import { installHostPackages } from '@kopsctl/quickstart/host-packages.ts';
import { TEST_HOST_TOOLS } from './host-tools.ts';
import { isOnDemand, PEER_NAMES, type PeerName } from './peers.ts';
import { providePeer } from './provide.ts';
import { whyNoPeers } from './this-machine.ts';

/** Fetches and builds the wanted peers that are not in the cache, all at the same time. */
async function main(wanted: readonly PeerName[]): Promise<number> {
  const reason = whyNoPeers();
  if (reason !== undefined) {
    console.error(`peers: none, and tests with peers are skipped: ${reason}`);
    return 0;
  }
  const log = (line: string): void => console.error(line);
  await ensureHostTools(TEST_HOST_TOOLS, log);
  // Tests of single local machines come long before those of whole clusters.
  await installHostPackages(log);
  const results = await Promise.allSettled(wanted.map(provide));
  const failures = results.filter((result) => result.status === 'rejected');
  for (const { reason: error } of failures) {
    console.error(`Error: ${messageOf(error)}`);
    if (error instanceof ActionableError) console.error(`Next:  ${error.next}`);
  }
  return failures.length === 0 ? 0 : 1;
}

async function provide(name: PeerName): Promise<void> {
  const startMs = performance.now();
  const { versions } = await providePeer(name, (line) => console.error(line));
  const [first = '', version = ''] = Object.entries(versions)[0] ?? [];
  console.error(`${name}: ${first} ${version} (${((performance.now() - startMs) / 1000).toFixed(1)} s)`);
}

const named = process.argv.slice(2);
const unknown = named.filter((name) => !PEER_NAMES.some((peer) => peer === name));
if (unknown.length > 0) {
  console.error(`usage: main.ts [${PEER_NAMES.join('|')}…]; unknown: ${unknown.join(', ')}`);
  process.exitCode = 3;
} else {
  process.exitCode = await main(
    PEER_NAMES.filter((name) => (named.length === 0 ? !isOnDemand(name) : named.includes(name))),
  );
}
