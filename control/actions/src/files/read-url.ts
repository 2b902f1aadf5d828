import { openHttp } from '@kopsctl/http/http.ts';
import { openStore } from '@kopsctl/state-store/open.ts';

/** Specs and keys are small. */
const MAX_BYTES = 4_000_000;
const ANSWERS_WITHIN_MS = 30_000;

/** What a URL leads to: of the web, or of a state store, as `s3://bucket/specs/demo.yaml`. */
export async function readUrl(url: string, env: NodeJS.ProcessEnv): Promise<Buffer> {
  if (/^https?:/.test(url)) return Buffer.from(await readFromWeb(url, MAX_BYTES, undefined));
  const end = url.lastIndexOf('/');
  const store = await openStore(url.slice(0, end), env);
  const stored = await store.read(url.slice(end + 1));
  if (stored === undefined) throw new Error(`${store.url} does not hold ${url.slice(end + 1)}`);
  return Buffer.from(stored.bytes);
}

/** The text that a server of the web has at a URL. */
export async function readFromWeb(url: string, maxBytes: number, signal: AbortSignal | undefined): Promise<string> {
  const http = openHttp({ keepAlive: false });
  try {
    const { status, body } = await http.ask({ method: 'GET', url, withinMs: ANSWERS_WITHIN_MS, maxBytes }, signal);
    if (status !== 200) throw new Error(`${url} answers ${status}`);
    return body;
  } finally {
    http.close();
  }
}
