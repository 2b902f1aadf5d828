/** A place where code decides by the name of a cloud or by its ids, or names one, so that something else may. */
export interface CloudBranch {
  readonly line: number;
  /** As it is written: `aws`, `aws/Vpc`, `.aws` for a field, `ami-` for an id. */
  readonly cloud: string;
  readonly form: string;
}
