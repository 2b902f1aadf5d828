import type { ClusterPaths } from '../records/cluster-paths.ts';

/** A local cluster on this computer: where its files are, and how its supervisor is started. */
export interface ClusterHost {
  readonly cluster: string;
  /** The state store whose cluster this is; without it, the cluster of that name is ours whichever store it belongs to. */
  readonly storeUrl: string | undefined;
  readonly dir: string;
  readonly imageCache: string;
  /** The command that calls runSupervisor with the arguments that follow. */
  readonly command: readonly string[];
  readonly paths: ClusterPaths;
  /** Called with a sentence about each step that takes long. */
  readonly say: (line: string) => void;
}
