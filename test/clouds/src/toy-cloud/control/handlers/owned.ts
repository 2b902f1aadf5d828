import type { Handler, Owned } from '@kopsctl/tasks/task.ts';
import { isOwned } from '../../node/ownership.ts';
import type { ToyService, ToyThings } from '../../node/toy-things.ts';
import type { ToyEnv } from './toy-env.ts';

interface Tagged {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** How things of one kind are looked for, listed and removed. A thing with another owner's tags counts as not there. */
export function owned<Thing extends Tagged>(
  thingsOf: (toy: ToyService) => ToyThings<Thing>,
): Required<Pick<Handler<ToyEnv, unknown, Thing>, 'find' | 'listOwned' | 'remove'>> {
  return {
    async find(name, _props, { toy, cluster }) {
      const thing = await thingsOf(toy).read(name);
      return thing !== undefined && isOwned(thing, cluster) ? thing : undefined;
    },
    async listOwned({ toy, cluster }): Promise<readonly Owned[]> {
      const things = await thingsOf(toy).list();
      return things
        .filter((thing) => isOwned(thing, cluster))
        .map(({ name }) => ({ name, description: name, handle: name }));
    },
    remove: ({ name }, { toy }) => thingsOf(toy).delete(name),
  };
}
