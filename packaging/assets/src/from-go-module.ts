import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import semver from 'semver';

import type { FetchedGoModule, GoModule } from './go-module.ts';
import { compileGoModule, fetchGoModule, publishedVersions } from './go-module.ts';
import { goToolchain } from './go-toolchain.ts';
import type { HostTool } from './host-tools.ts';
import { ensureHostTools } from './host-tools.ts';
import type { ProgramSource } from './program-source.ts';
import { NotProvided } from './recipe.ts';

/** Part of the key in the cache: to be incremented when the way of building changes what is built. */
const REVISION = '1';

/** For programs with parts in C. */
const C_TOOLS = [
  { program: 'gcc', packageName: 'gcc' },
  // gcc only recommends it, and no program in C is built without.
  { program: '/usr/include/stdio.h', packageName: 'libc6-dev' },
  { program: 'pkg-config', packageName: 'pkg-config' },
];

export interface FromGoModule {
  /** The modules in the given version, which has no leading v. The first module lists the versions. */
  readonly modules: (version: string) => readonly [GoModule, ...GoModule[]];
  readonly version: string;
  /** What the host must have to compile it. */
  readonly hostTools?: readonly Omit<HostTool, 'why'>[];
}

/**
 * Programs compiled from a published Go module. A version that cannot be had (the module proxy refuses some, and some
 * need a module that it refuses) is replaced by the nearest patch of its minor version; the result says which it is.
 */
export function fromGoModule({ modules, version, hostTools = [] }: FromGoModule): ProgramSource {
  const wanted = modules(version);
  const [{ path: name }] = wanted;
  return {
    from: `the published Go module ${name}`,
    inputs: [REVISION, JSON.stringify(wanted)],
    isBuilt: true,
    isReachable: async () => true,
    async provide({ dir, scratch, cacheDir, log, compileInTurn }) {
      const tools = [...(wanted.some(({ usesC }) => usesC === true) ? C_TOOLS : []), ...hostTools];
      await ensureHostTools(
        tools.map((tool) => ({ ...tool, why: `compiles ${name}` })),
        log,
      );
      const go = await goToolchain(cacheDir, log);
      const refusals: string[] = [];
      for (const candidate of nearestFirst(version, await publishedVersions(go, name))) {
        try {
          const fetched: FetchedGoModule[] = [];
          // Fetching waits for the network: others compile meanwhile.
          for (const one of modules(candidate)) fetched.push(await fetchGoModule(go, one, scratch));
          await compileInTurn(async () => {
            log(`${name} ${candidate}: compiling, which is done once`);
            for (const one of fetched) await compileGoModule(one, dir);
          });
          return candidate;
        } catch (error) {
          if (!isRefusal(error)) throw error;
          refusals.push(`${candidate}: ${messageOf(error)}`);
        }
      }
      throw new NotProvided(
        `the Go module proxy of this machine provides ${name} neither in ${version} nor in a neighbouring version:\n${refusals.join('\n')}`,
      );
    },
  };
}

/**
 * The wanted version first, then those of the same minor version, the nearest first.
 *
 * @param published with or without the leading v; release candidates are passed over
 */
export function nearestFirst(version: string, published: readonly string[]): readonly string[] {
  const { major, minor, patch } = semver.parse(version) ?? { major: 0, minor: 0, patch: 0 };
  const neighbours = published
    .flatMap((text) => semver.parse(text) ?? [])
    .filter((one) => one.major === major && one.minor === minor && one.patch !== patch && one.prerelease.length === 0)
    .toSorted((a, b) => Math.abs(a.patch - patch) - Math.abs(b.patch - patch) || b.patch - a.patch)
    .map((one) => one.version);
  return [version, ...neighbours];
}

/** A failure that another version may not meet: the proxy does not have the module, or the checksum database does not know it. */
function isRefusal(error: unknown): boolean {
  return /\b(403 Forbidden|404 Not Found|410 Gone)\b|unknown revision|invalid version/.test(messageOf(error));
}
