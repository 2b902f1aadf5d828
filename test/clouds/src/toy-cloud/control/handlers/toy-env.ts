import type { ToyService } from '../../node/toy-things.ts';

/** What the handlers of toy kinds work with. */
export interface ToyEnv {
  readonly toy: ToyService;
  readonly cluster: string;
}
