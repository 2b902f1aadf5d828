import { openHttp } from '@kopsctl/http/http.ts';
import { openStore } from '@kopsctl/state-store/open.ts';

/** Specs and keys are small. */
const MAX_BYTES = 4_000_000;
const ANSWERS_WITHIN_MS = 30_000;

/** What a URL leads to: of the web, or of a state store, as `s3://bucket/specs/demo.yaml`. */
export async function readUrl(url: string, env: NodeJS.ProcessEnv): Promise<Buffer> {
  if (/^https?:/.test(url)) return fromWeb(url);
  const end = url.lastIndexOf('/');
  const store = await openStore(url.slice(0, end), env);
  const stored = await store.read(url.slice(end + 1));
  if (stored === undefined) throw new Error(`${store.url} does not hold ${url.slice(end + 1)}`);
  return Buffer.from(stored.bytes);
}

async function fromWeb(url: string): Promise<Buffer> {
  const http = openHttp({ keepAlive: false });
  try {
    const question = { method: 'GET', url, withinMs: ANSWERS_WITHIN_MS, maxBytes: MAX_BYTES } as const;
    const { status, body } = await http.ask(question, undefined);
    if (status !== 200) throw new Error(`${url} answers ${status}`);
    return Buffer.from(body);
  } finally {
    http.close();
  }
}
