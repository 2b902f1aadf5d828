import { parseMachineFacts } from '@kopsctl/machine-facts/parse-machine-facts.ts';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { Stored } from '@kopsctl/state-store/store.ts';
import { z } from 'zod';
import { printable } from './printable.ts';

/** A report of 200 tasks, with long errors, has about 100 KiB. */
const MAX_BYTES = 4 * 1024 ** 2;
const MAX_TASKS = 5000;

const text = z.string().transform((written) => printable(written));
const optional = text.optional();

const taskSchema = z.object({
  task: text,
  durationMs: z.number().catch(0),
  result: z.enum(['running', 'unchanged', 'changed', 'planned', 'failed', 'skipped']),
  error: optional,
  hint: optional,
});

const reportSchema = z.object({
  startedAt: text,
  finishedAt: optional,
  result: z.enum(['running', 'done', 'failed']),
  tasks: z.array(taskSchema).max(MAX_TASKS).readonly(),
  /** Absent in reports of older agents. The parser bounds and cleans every text. */
  machine: z
    .unknown()
    .transform((written) => parseMachineFacts(written))
    .optional(),
});

/** What a person is told of a boot report: its texts can be printed. */
export type ReadBootReport = z.infer<typeof reportSchema>;

/**
 * A boot report, which machines write: any of them may be taken over, and may write anything. Resolves with why it
 * cannot be read otherwise.
 */
export function readBootReport({ bytes }: Pick<Stored, 'bytes'>): ReadBootReport | { readonly unreadable: string } {
  if (bytes.byteLength > MAX_BYTES) return { unreadable: `it has ${bytes.byteLength} bytes` };
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    return { unreadable: printable(messageOf(error), 200) };
  }
  const { data, error } = reportSchema.safeParse(json);
  if (data !== undefined) return data;
  const [first] = error.issues;
  return { unreadable: printable(`${first?.path.join('.') ?? ''}: ${first?.message ?? 'it is no report'}`, 200) };
}
