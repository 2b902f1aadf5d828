/** Options that every command takes. */
export interface GlobalOptions {
  readonly state?: string;
  readonly name?: string;
  /** The cluster, where it was given by --name and not by the environment. */
  readonly nameFlag?: string;
  /** Why specs are changed, for their history. */
  readonly why?: string;
  /** The state store, where it was given by --state and not by the environment: commands that are proposed have to repeat it. */
  readonly stateFlag?: string;
  /** How much is told, as -v says it: 0 unless given. */
  readonly verbosity: number;
}

/** The same, where a command names its cluster by position: that comes before --name. */
export const ofCluster = (global: GlobalOptions, cluster: string | undefined): GlobalOptions =>
  cluster === undefined || cluster === '' ? global : { ...global, name: cluster };
