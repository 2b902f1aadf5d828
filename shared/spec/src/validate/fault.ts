/** A fault in the spec of a cluster or of one of its instance groups. */
export interface Fault {
  /** The instance group; undefined for the Cluster. */
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
