import { parseMachineFacts } from '@kopsctl/machine-facts/parse-machine-facts.ts';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore, Stored } from '@kopsctl/state-store/store.ts';
import * as z from 'zod';
import { printable } from './printable.ts';

/** A report of 200 tasks, with long errors, has about 100 KiB. */
const MAX_BYTES = 4 * 1024 ** 2;
const MAX_TASKS = 5000;
const TOO_LARGE = { unreadable: `it has more than ${MAX_BYTES / 1024 ** 2} MiB` };

const text = z.string().transform((written) => printable(written));
const optional = text.optional();

const taskSchema = z.object({
  task: text,
  startedAt: optional,
  durationMs: z.number().catch(0),
  result: z.enum(['running', 'unchanged', 'changed', 'planned', 'failed', 'skipped']),
  error: optional,
  hint: optional,
});

const reportSchema = z.object({
  startedAt: text,
  finishedAt: optional,
  /** Hex SHA-256 of the plan that was carried out. It becomes part of a path. */
  planHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .catch(undefined),
  result: z.enum(['running', 'done', 'failed']),
  tasks: z.array(taskSchema).max(MAX_TASKS).readonly(),
  /** Absent in reports of older agents. The parser bounds and cleans every text. */
  machine: z
    .unknown()
    .transform((written) => parseMachineFacts(written))
    .optional(),
});

/** What a person is told about a boot report: its texts can be printed. */
export type ReadBootReport = z.infer<typeof reportSchema>;

export interface UnreadableReport {
  readonly unreadable: string;
}

export interface FetchedReport {
  readonly report: ReadBootReport | UnreadableReport;
  /** Absent where it could not be read to its end. */
  readonly version?: string;
}

/**
 * The report of one machine, undefined where there is none. The machine decides how large it is, so no more of it is
 * read than a report may have; a report that cannot be read is told as such, and the others are still told.
 */
export async function fetchBootReport(
  store: StateStore,
  path: string,
  signal?: AbortSignal,
): Promise<FetchedReport | undefined> {
  signal?.throwIfAborted();
  try {
    const stored = await readAtMost(MAX_BYTES, store, path, signal);
    if (stored === undefined) return undefined;
    const { bytes, version } = stored;
    return { report: bytes === undefined ? TOO_LARGE : readBootReport({ bytes }), version };
  } catch (error) {
    signal?.throwIfAborted();
    return { report: { unreadable: printable(messageOf(error), 200) } };
  }
}

/** An object that another machine has written: without its bytes where it has more than are taken. */
export async function readAtMost(
  maxBytes: number,
  store: StateStore,
  path: string,
  signal?: AbortSignal,
): Promise<{ readonly bytes: Buffer | undefined; readonly version: string } | undefined> {
  // A stream that is not read to its end is given up.
  const reading = new AbortController();
  try {
    const stored = await store.readStream(
      path,
      AbortSignal.any([reading.signal, ...(signal === undefined ? [] : [signal])]),
    );
    if (stored === undefined) return undefined;
    const { chunks, size, version } = stored;
    return { bytes: size > maxBytes ? undefined : await atMost(maxBytes, chunks), version };
  } finally {
    reading.abort();
  }
}

/** All of a stream, or undefined where it has more. */
async function atMost(maxBytes: number, chunks: AsyncIterable<Uint8Array>): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = [];
  let taken = 0;
  for await (const chunk of chunks) {
    taken += chunk.byteLength;
    if (taken > maxBytes) return undefined;
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/**
 * A boot report, which machines write: any of them may be taken over, and may write anything. Returns why it cannot be
 * read where that is so.
 */
export function readBootReport({ bytes }: Pick<Stored, 'bytes'>): ReadBootReport | UnreadableReport {
  if (bytes.byteLength > MAX_BYTES) return TOO_LARGE;
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    return { unreadable: printable(messageOf(error), 200) };
  }
  const { data, error } = reportSchema.safeParse(json);
  if (data !== undefined) return data;
  const [first] = error.issues;
  return { unreadable: printable(`${first?.path.join('.') ?? ''}: ${first?.message ?? 'it is not a report'}`, 200) };
}
