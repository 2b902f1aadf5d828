/** One fault of a spec, with its place, so that all faults of a file can be shown at once. */
export interface FieldError {
  readonly file: string;
  /** 1-based; 0 where the fault has no place in a file. */
  readonly line: number;
  readonly column: number;
  /** E.g. `spec.etcdClusters[0].etcdMembers`; empty for a fault of the whole document. */
  readonly path: string;
  readonly message: string;
  readonly hint?: string;
}

/** A place in a file, both 1-based. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** `cluster.yaml:12:3: spec.nodes: expected an integer, found 'three' (did you mean …)`. */
export function formatFieldError(error: FieldError): string {
  const place =
    error.line > 0 ? `${error.file}:${error.line}:${error.column}: ` : error.file === '' ? '' : `${error.file}: `;
  const path = error.path === '' ? '' : `${error.path}: `;
  return `${place}${path}${error.message}${error.hint === undefined ? '' : ` (${error.hint})`}`;
}
