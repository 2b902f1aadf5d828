import type { ApiVersion } from '@kopsctl/spec/versions/api-version.ts';

/** The options of `explain`, whatever it explains. */
export interface ExplainOptions {
  readonly output: 'text' | 'yaml' | 'json';
  /** The version of the API that fields are named in. */
  readonly apiVersion: ApiVersion;
}
