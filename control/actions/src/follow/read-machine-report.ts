import type { StateStore } from '@kopsctl/state-store/store.ts';
import * as z from 'zod';
import { printable } from './printable.ts';
import { readAtMost } from './read-boot-report.ts';
import { explainingSchema } from './read-machine-state.ts';

/** One with all certificates and all errors that protokube keeps has less than 30 KiB. */
const MAX_BYTES = 256 * 1024;
/** protokube keeps fewer. */
const MAX_ERRORS = 100;

const reportSchema = z.object({
  writtenAt: z.iso.datetime(),
  state: explainingSchema,
  errors: z
    .array(z.string().transform((line) => printable(line, 400)))
    .max(MAX_ERRORS)
    .readonly()
    .catch([]),
});

/** What a machine stored about itself in the state store, with texts that can be printed. */
export type KeptReport = z.infer<typeof reportSchema>;

/** Undefined where there is none, or none that makes sense: a machine that was taken over may write anything. */
export async function fetchMachineReport(
  store: StateStore,
  path: string,
  signal: AbortSignal,
): Promise<KeptReport | undefined> {
  try {
    const stored = await readAtMost(MAX_BYTES, store, path, signal);
    return stored?.bytes && reportSchema.safeParse(JSON.parse(stored.bytes.toString('utf8'))).data;
  } catch {
    // Whatever else is known of the machine is still told.
    signal.throwIfAborted();
    return undefined;
  }
}
