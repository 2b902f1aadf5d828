import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { asRecord } from './kube/json.ts';

/** What a secret of the state store holds, which keeps it as `{"Data": base64}`. */
export async function readSecret(cluster: string, name: string, store: StateStore): Promise<string> {
  const path = `${cluster}/secrets/${name}`;
  const stored = await store.read(path);
  const data = stored && dataOf(Buffer.from(stored.bytes).toString('utf8'));
  if (typeof data === 'string') return Buffer.from(data, 'base64').toString('utf8');
  throw new ActionableError({
    what: `read the secret ${name} of ${cluster}`,
    why: `${path} ${stored === undefined ? 'is not' : 'holds no Data'} in ${store.url}`,
    next: `\`kopsctl create secret ${name} -f FILE\` writes it`,
  });
}

function dataOf(text: string): unknown {
  try {
    return asRecord(JSON.parse(text))['Data'];
  } catch {
    // What the parser says of it would quote the secret.
    return undefined;
  }
}
