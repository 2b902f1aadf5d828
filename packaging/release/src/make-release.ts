import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';

import type { AgentHashes } from '@kopsctl/actions/hashes/hashes-of-agents.ts';
import { CHECKSUMS, SIGNATURE } from '@kopsctl/actions/release/checksums.ts';
import { sha256OfFile } from '@kopsctl/files/sha256-of-file.ts';
import { AGENT_FLAGS, CLI_FLAGS } from '@kopsctl/packaging-binary/build.ts';
import { type Bundle, bundle, ROOT } from '@kopsctl/packaging-binary/bundle.ts';

import { buildExecutables, executableName, type HowToBuild } from './build-executables.ts';
import { buildPackages } from './build-packages.ts';
import { bundleCli } from './bundle-cli.ts';
import { refuseOthersThanRelease, refuseOthersThanUnfinished } from './replaceable-folder.ts';
import { sign, writeChecksums } from './sign.ts';
import type { Target } from './targets.ts';

/** Below the project, and always the same: a bundle may depend on where its chunks lie in relation to their sources. */
const WORK = path.join(ROOT, 'dist/.release');

/** Makes all artefacts in a folder, which has nothing else in it afterwards. */
export async function makeRelease(options: {
  readonly out: string;
  readonly targets: readonly Target[];
  /** Signs the checksums; without it they are not signed. */
  readonly key?: string;
  readonly log: (line: string) => void;
}): Promise<void> {
  const { targets, key, log } = options;
  await refuseOthersThanRelease(options.out);
  // Beside its place, so that a release which could not be finished is never taken for one.
  const out = `${options.out}.new`;
  await refuseOthersThanUnfinished(out);
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const how = { work: WORK, out, log };
  const agents = await bundle('agents-entry.ts', path.join(WORK, 'agents'));
  const cli = await bundleCli(await buildAgents(agents, targets, how), path.join(WORK, 'cli'));
  await buildExecutables({ name: 'kopsctl', bundle: cli, flags: CLI_FLAGS, targets }, how);
  await buildPackages({ cli, agents, targets, out, log });
  await writeChecksums(out);
  if (key === undefined) log(`${CHECKSUMS}: not signed; --key names the key that signs it`);
  else {
    await sign(out, key);
    log(`${SIGNATURE}: signed with ${key}`);
  }
  // Building takes minutes, in which something else may have been put there.
  await refuseOthersThanRelease(options.out);
  await rm(options.out, { recursive: true, force: true });
  await rename(out, options.out);
  log(`The release is in ${options.out}`);
}

/** Their hashes go into the CLI, so they are made before it. */
async function buildAgents(made: Bundle, targets: readonly Target[], how: HowToBuild): Promise<AgentHashes> {
  const linux = targets.filter(({ os }) => os === 'linux');
  const agents = { name: 'kops-agents', bundle: made, flags: AGENT_FLAGS, targets: linux } as const;
  await buildExecutables(agents, how);
  const hashes: { -readonly [A in keyof AgentHashes]: AgentHashes[A] } = {};
  for (const { os, arch } of linux) {
    hashes[arch] = await sha256OfFile(path.join(how.out, executableName(agents.name, { os, arch })));
  }
  for (const arch of (['amd64', 'arm64'] as const).filter((one) => hashes[one] === undefined)) {
    how.log(
      `kopsctl: has no hash of the agents for ${arch}, which are not made; it asks for it where they are published`,
    );
  }
  return hashes;
}
