import { request } from 'node:http';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { z } from 'zod';

const refusal = z.object({
  error: z.union([z.string(), z.object({ what: z.string(), why: z.string(), next: z.string() })]),
});

/** One request to a supervisor's socket; its errors arrive as they were thrown there. */
export async function socketRequest(
  socket: string,
  method: string,
  path: string,
  options: { readonly body?: unknown; readonly signal?: AbortSignal | undefined } = {},
): Promise<unknown> {
  const { status, text } = await exchange(socket, method, path, options);
  const answer: unknown = JSON.parse(text);
  if (status === 200) return answer;
  const { error } = refusal.parse(answer);
  if (typeof error === 'object') throw new ActionableError(error);
  throw new Error(`the supervisor refused ${method} ${path}: ${error}`);
}

function exchange(
  socketPath: string,
  method: string,
  path: string,
  { body, signal }: { readonly body?: unknown; readonly signal?: AbortSignal | undefined },
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { socketPath, method, path, agent: false, ...(signal === undefined ? {} : { signal }) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        );
      },
    );
    sent.once('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
