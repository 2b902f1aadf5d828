import * as z from 'zod';
import { printable } from './printable.ts';

const text = z.string().transform((written) => printable(written));
const name = z.string().transform((written) => printable(written, 100));

/** protokube tells fewer. */
const MAX_DIFFERENCES = 50;

const driftSchema = z.object({
  checkedAt: text,
  planHash: name,
  differences: z
    .array(
      z.object({
        task: text,
        what: text,
        outcome: z.enum(['reported', 'held', 'failed', 'unknown']),
        why: text.optional(),
      }),
    )
    .max(MAX_DIFFERENCES)
    .readonly(),
  more: z.number().optional(),
  repaired: z.object({ at: text, tasks: z.array(text).readonly() }).optional(),
});

/** protokube tells fewer. */
const MAX_CERTIFICATES = 50;

const certificatesSchema = z
  .record(name, z.object({ notAfter: z.iso.datetime(), renewalFailure: text.optional() }))
  .refine((certificates) => Object.keys(certificates).length <= MAX_CERTIFICATES);

/** What explains why a machine does not work, wherever its protokube has written it. Texts can be printed. */
export const explainingSchema = z.object({
  units: z.record(name, text).catch({}),
  certificates: certificatesSchema.catch({}),
  clock: z.object({ isSynchronized: z.boolean() }).optional().catch(undefined),
  failures: z.record(name, text).catch({}),
});

const stateSchema = explainingSchema.extend({
  discovery: z
    .object({
      by: z.enum(['gossip', 'DNS', 'load balancer', 'cloud']),
      names: z.number(),
      members: z.number().optional(),
    })
    .catch({ by: 'DNS', names: 0 }),
  volumes: z.record(name, z.object({ isMounted: z.boolean(), member: name.optional(), summary: text })).catch({}),
  isLeader: z.boolean().catch(false),
  boot: z
    .object({ planHash: name, result: z.enum(['running', 'done', 'failed']) })
    .optional()
    .catch(undefined),
  drift: driftSchema.optional().catch(undefined),
});

/** What a machine says of itself on its Node, with texts that can be printed. */
export type ReadMachineState = z.infer<typeof stateSchema>;

/** Undefined where it says nothing that makes sense: a machine that was taken over may say anything. */
export function readMachineState(json: string): ReadMachineState | undefined {
  try {
    return stateSchema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
