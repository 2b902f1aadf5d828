import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { readObjectFiles } from './files/object-files.ts';
import { checkObjects } from './spec/check-objects.ts';
import { type LocatedRemark, remarksOnFiles } from './spec/remarks-on-files.ts';
import { refuseTooNewVersion } from './spec/refuse-too-new-version.ts';
import { refuseUnmakeable, wholeOf } from './spec/refuse-unmakeable.ts';
import { titleOf } from './store/object-paths.ts';
import { planSubmissions } from './store/submit-objects.ts';

/** What was found to be right in a file. */
export interface LintedObjects {
  readonly cluster: string;
  readonly titles: readonly string[];
  /** Which settings have no effect, and which open a machine. Of groups without their Cluster that is not known. */
  readonly remarks: readonly LocatedRemark[];
}

/**
 * Checks objects of files by themselves, as storing them would: neither a state store nor a cloud is asked, and nothing is
 * written. Where the groups of a cluster are there as well, what completion infers is checked too.
 *
 * @throws InvalidSpecError with every fault
 */
export async function lintFiles(files: readonly string[], env: NodeJS.ProcessEnv): Promise<readonly LintedObjects[]> {
  const clusters = await readObjectFiles(files, env);
  const nothing = createMemoryStore();
  // Refuses objects that no store takes from a file, such as Keysets and what is not a public key.
  await planSubmissions(nothing, clusters);
  await checkObjects(nothing, clusters);
  for (const one of clusters) {
    const { cluster } = wholeOf(one);
    if (cluster !== undefined) refuseTooNewVersion(cluster, env, one.objects);
    refuseUnmakeable(one, nothing.url);
  }
  return Promise.all(
    clusters.map(async (one) => ({
      cluster: one.cluster,
      titles: one.objects.map(({ kind, name }) => titleOf(kind, name)),
      remarks: await remarksOnFiles(nothing, [one]),
    })),
  );
}
