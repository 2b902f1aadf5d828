/** How objects are printed: in columns for people, or as data. */
export type OutputFormat = 'table' | 'yaml' | 'json';

/** `-o` of the commands that print objects. */
export interface OutputOptions {
  readonly output: OutputFormat;
}
