import type { Http } from '@kopsctl/http/http.ts';

import type { AptRoot } from './apt-root.ts';
import type { CachedFolder, MadeFile } from './cached-folder.ts';

export type Arch = 'amd64' | 'arm64';

/** One thing that is made, cached as a whole, by all that goes into it. */
export interface Recipe {
  /** Folder in the cache and name in the log, e.g. containerd, image/pause. */
  readonly thing: string;
  readonly version: string;
  /** What it is made from, completing "made from …". */
  readonly from: string;
  /** Debian packages that are unpacked for it. */
  readonly packages: readonly string[];
  readonly sources?: readonly string[];
  /** Other things whose folders it reads. */
  readonly needs?: readonly string[];
  /** Other things that it is made with, and that leave no trace in it. */
  readonly tools?: readonly string[];
  /** Another thing that it is used together with, in the same version only. */
  readonly sameVersionAs?: string;
  /** Changes whenever the way of making changes. */
  readonly revision: string;
  /**
   * Compiled from source, which takes minutes: kept in the cache's folder `built`, by the hash of its inputs alone,
   * apart from what is only fetched; and its own hashes are checked each time it is used.
   */
  readonly isBuilt?: true;
  /** @throws NotProvided if its source does not have it */
  make(kitchen: Kitchen): Promise<readonly MadeFile[]>;
}

/** What a recipe works with. */
export interface Kitchen {
  readonly arch: Arch;
  /** Where its files go. */
  readonly dir: string;
  /** Thrown away afterwards. */
  readonly scratch: string;
  readonly apt: AptRoot;
  readonly http: Pick<Http, 'stream'>;
  /** The folder of all results, for what is kept between runs. */
  readonly cacheDir: string;
  readonly log: (line: string) => void;
  readonly need: (thing: string) => CachedFolder;
  /** Compiling uses all processors and gigabytes of memory: one at a time. */
  readonly compileInTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/** A source that was reached does not have what is wanted: the next source takes its place. */
export class NotProvided extends Error {
  override readonly name: string = 'NotProvided';
}
