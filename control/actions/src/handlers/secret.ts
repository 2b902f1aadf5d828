import { printSecret, secretPath } from '@kopsctl/state-store/stored-secret.ts';
import { PermanentError } from '@kopsctl/tasks/failure.ts';
import type { Handler, JsonObject, Step } from '@kopsctl/tasks/task.ts';
import type { StoreEnv } from './store-env.ts';

/** How a secret is made; `brought`: a person has to bring it. */
type SecretKind = 'gossip-key' | 'brought';

interface SecretProps {
  readonly name: string;
  readonly kind: SecretKind;
}

/** A secret of the cluster at `secrets/<name>`, in kops's form `{"Data": base64}`. Made once and kept. */
export const secretHandler: Handler<StoreEnv, SecretProps, { readonly exists: true }> = {
  kind: 'Secret',

  parse(props: JsonObject) {
    const { name, kind } = props;
    if (typeof name !== 'string' || (kind !== 'gossip-key' && kind !== 'brought'))
      throw new Error('Secret needs name and kind');
    return { name, kind };
  },

  async find(_name, props, env, signal) {
    const stored = await env.store.read(secretPath(env.cluster, props.name), signal);
    return stored && { exists: true };
  },

  plan(_name, props, actual): readonly Step[] {
    if (actual !== undefined) return [];
    if (props.kind !== 'brought') return [{ action: 'create', summary: `create secret ${props.name}` }];
    throw new PermanentError({
      what: `find the secret ${props.name}`,
      why: 'only you can create it, and the state store does not hold it',
      next: `store it with \`kopsctl create secret ${props.name} -f FILE\``,
    });
  },

  async apply(_step, _name, props, env, signal) {
    const body = new TextEncoder().encode(printSecret(Buffer.from(make(props.kind, env))));
    await env.store.write(secretPath(env.cluster, props.name), body, { ifAbsent: true }, signal);
  },
};

function make(kind: SecretKind, env: StoreEnv): string {
  switch (kind) {
    case 'brought':
      throw new Error('kopsctl never plans to make such a secret');
    case 'gossip-key':
      // One key per line, in base64, so that a second one can be there while they are changed.
      return `${Buffer.from(env.randomBytes(32)).toString('base64')}\n`;
  }
}
