/** Options that every command takes. */
export interface GlobalOptions {
  readonly state?: string;
  readonly name?: string;
  /** Why specs are changed, for their history. */
  readonly why?: string;
  /** The state store, where it was given by --state and not by the environment: commands that are proposed have to repeat it. */
  readonly stateFlag?: string;
}
