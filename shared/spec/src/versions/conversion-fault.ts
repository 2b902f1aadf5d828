/** Why a value cannot be converted, by its path in the version it was written in. */
export interface ConversionFault {
  readonly path: string;
  readonly message: string;
  readonly hint?: string;
}
