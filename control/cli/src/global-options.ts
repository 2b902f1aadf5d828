/** Options that every command takes. */
export interface GlobalOptions {
  readonly state?: string;
  readonly name?: string;
  /** The state store, where it was given by --state and not by the environment: commands that are proposed have to repeat it. */
  readonly stateFlag?: string;
  /** How much is told, as -v says it: 0 unless given. */
  readonly verbosity: number;
}
