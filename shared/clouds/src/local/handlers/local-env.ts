import type { LocalCloud } from '../client.ts';

/** What the handlers of local kinds work with. */
export interface LocalEnv {
  readonly local: LocalCloud;
}
