import type { Http } from '@kopsctl/http/http.ts';

import type { Kitchen } from './recipe.ts';

/** One way to get the programs of a row of the table in programs.ts. */
export interface ProgramSource {
  /** Completes "made from …". */
  readonly from: string;
  /** The version that it gives, where that is not the version of the row. */
  readonly version?: string;
  /** Debian packages and source packages, whose versions are part of the result's name in the cache. */
  readonly packages?: readonly string[];
  readonly sourcePackages?: readonly string[];
  /** All other inputs: with one of them changed, the programs are made again. */
  readonly inputs: readonly string[];
  /** Compiled from source, which takes minutes (see Recipe.isBuilt). */
  readonly isBuilt?: true;
  /** Whether this machine reaches it, as far as one short question tells. */
  isReachable(http: Pick<Http, 'stream'>): Promise<boolean>;
  /** Puts the programs into the kitchen's folder, each under its own name, and returns their true version. */
  provide(kitchen: Kitchen): Promise<string>;
}
