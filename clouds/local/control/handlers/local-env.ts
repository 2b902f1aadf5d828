import type { LocalCloud } from '../supervisor/client.ts';

/** The environment of the handlers of local kinds. */
export interface LocalEnv {
  readonly local: LocalCloud;
}
