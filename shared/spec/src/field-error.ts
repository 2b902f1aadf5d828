/** One fault in a spec, with its position if known, so that all faults of a file can be reported at once. */
export interface FieldError {
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  readonly column?: number;
  /** E.g. `spec.etcdClusters[0].etcdMembers`; empty for a fault in the whole document. */
  readonly path: string;
  readonly message: string;
  readonly hint?: string;
}

/** A position in a file, both 1-based. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** `cluster.yaml:12:3: spec.nodes: expected an integer, found 'three' (did you mean …)`. */
export function formatFieldError({ file, line, column, path, message, hint }: FieldError): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  return `${[place, path, message].filter((part) => part !== '').join(': ')}${hint === undefined ? '' : ` (${hint})`}`;
}
