/** The reason why a value cannot be converted, with its path in the version in which it was written. */
export interface ConversionFault {
  readonly path: string;
  readonly message: string;
  readonly hint?: string;
}
