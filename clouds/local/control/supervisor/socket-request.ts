import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { openHttp } from '@kopsctl/http/http.ts';
import * as z from 'zod';

const refusal = z.object({
  error: z.union([z.string(), z.object({ what: z.string(), why: z.string(), next: z.string() })]),
});

/** Longer than any request takes; a request that creates a machine returns when the machine runs. */
const SILENCE_LIMIT_MS = 10 * 60_000;
/** The state of a thousand machines is a fraction of this. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Sends a request to the socket of a supervisor and rethrows its errors. */
export async function socketRequest(
  socketPath: string,
  method: string,
  path: string,
  options: { readonly body?: unknown; readonly signal?: AbortSignal | undefined } = {},
): Promise<unknown> {
  // A supervisor may end at any time, and another one may listen at the same path.
  const http = openHttp({ socketPath, keepAlive: false });
  const { status, body } = await http.ask(
    {
      method,
      url: `http://localhost${path}`,
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      silenceMs: SILENCE_LIMIT_MS,
      maxBytes: MAX_ANSWER_BYTES,
    },
    options.signal,
  );
  const answer: unknown = JSON.parse(body);
  if (status === 200) return answer;
  const { error } = refusal.parse(answer);
  if (typeof error === 'object') throw new ActionableError(error);
  throw new Error(`the supervisor refused ${method} ${path}: ${error}`);
}
