/** A fault of a cluster's spec, or of one of its instance groups. */
export interface Fault {
  /** The group it is in; undefined for the Cluster. */
  readonly instanceGroup?: string;
  readonly path: string;
  readonly message: string;
  readonly hint?: string;
}

export const fault = (path: string, message: string, hint?: string): Fault => ({
  path,
  message,
  ...(hint === undefined ? {} : { hint }),
});
