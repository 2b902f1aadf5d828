import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { type Http, openHttp } from '@kopsctl/http/http.ts';
import type { KubeAccess } from '@kopsctl/kube/kubeconfig.ts';

/** The reason why the API server is not ready; undefined if it is. */
export type AskApiServer = (signal: AbortSignal) => Promise<string | undefined>;

/** Less than the five seconds that Google's health checks wait by default. */
const ANSWER_WITHIN_MS = 4000;
/** One line for each check that failed. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Asks an API server whether it is ready, with credentials that are read again after a failure: they are renewed. */
export function askApiServer(readAccess: () => Promise<KubeAccess>): AskApiServer {
  let opened: { readonly server: string; readonly http: Http } | undefined;
  const open = async (): Promise<NonNullable<typeof opened>> => {
    const { server, ca, cert, key } = await readAccess();
    const tls = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
    return { server, http: openHttp({ tls, maxSockets: 1 }) };
  };
  return async (signal) => {
    let why: string | undefined;
    try {
      opened ??= await open();
      const { server, http } = opened;
      const url = new URL('/readyz', server);
      const question = { method: 'GET', url, withinMs: ANSWER_WITHIN_MS, maxBytes: MAX_ANSWER_BYTES };
      const { status } = await http.ask(question, signal);
      if (status !== 200) why = `it answered ${status}`;
    } catch (error) {
      if (signal.aborted) throw error;
      why = messageOf(error);
    }
    if (why !== undefined) {
      opened?.http.close();
      opened = undefined;
    }
    return why;
  };
}
