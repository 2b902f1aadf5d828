import * as z from 'zod';
import { askedSchema } from './asked.ts';

/**
 * What is done with a machine, in this order. `release` puts a machine back that is not replaced after all; from
 * `delete` on there is no way back. `converge` takes the place of `delete` and `make` where the machine itself becomes
 * what the new plan says; it is put back then.
 */
const STEPS = [
  'waiting',
  'ask',
  'detach',
  'surplus',
  'cordon',
  'deregister',
  'drain',
  'converge',
  'delete',
  'make',
  'validate',
  'release',
  'done',
  'failed',
] as const;
export type Step = (typeof STEPS)[number];

const turnSchema = z.strictObject({
  /** The id of the machine that is replaced. */
  id: z.string(),
  name: z.string(),
  /** Empty for bastions. */
  node: z.string(),
  instanceGroup: z.string(),
  role: z.enum(['ControlPlane', 'Node', 'Bastion', 'APIServer']),
  address: z.string(),
  why: z.string(),
  step: z.enum(STEPS),
  /** When that step began, in ms since 1970. */
  sinceMs: z.int(),
  /** Its group has another machine for it already: it was detached, or it waited in the warm pool. */
  standing: z.enum(['counted', 'detached', 'warm']),
  /** Observations in a row that found the cluster valid. */
  passes: z.int(),
  /** The hashes of the plans that the machine goes from and to, where it is not replaced; `drains`: pods leave it before. */
  inPlace: z.strictObject({ from: z.string(), to: z.string(), drains: z.boolean() }).optional(),
  /** Where a release leads, and what is wrong with a machine that failed. */
  leadsTo: z.enum(['waiting', 'validate', 'failed', 'done']).optional(),
  failure: z.string().optional(),
  /** Watches of Services' endpoints that the only API server served before its machine went, and since when the new one answers. */
  watches: z.strictObject({ before: z.int(), answersSinceMs: z.int().optional() }).optional(),
});

/** One machine on its way to be replaced. */
export type Turn = z.infer<typeof turnSchema>;

export const rollSchema = z.strictObject({
  apiVersion: z.literal('kopsctl.io/v1'),
  kind: z.literal('RollingUpdate'),
  /** Different from that of any other rolling update. */
  id: z.string(),
  /** `heal`: it replaces a machine that was not Ready, by itself. */
  purpose: z.literal('heal').optional(),
  /** What a person asked for. Absent where it heals, and in journals of former versions. */
  asked: askedSchema.optional(),
  startedMs: z.int(),
  endedMs: z.int().optional(),
  state: z.enum(['rolling', 'stopped', 'paused', 'aborted', 'failed', 'done']),
  /** What a person has asked of the process that rolls. */
  wish: z.enum(['pause', 'abort']).optional(),
  /** Since when and why no machine may go next, although nothing is under way. */
  blocked: z.strictObject({ sinceMs: z.int(), why: z.string() }).optional(),
  turns: z.array(turnSchema),
});

/**
 * A rolling update as its journal has it. Each step is in the journal before it is taken, and taking it again does no
 * harm, so that the next process continues wherever the last one was cut off.
 */
export type Roll = z.infer<typeof rollSchema>;

/** Nothing more happens with it. */
export const isOver = ({ step }: Turn): boolean => step === 'done' || step === 'failed';

/** It was not begun, or only prepared: the machine serves as before. */
export const isUntouched = ({ step }: Turn): boolean =>
  step === 'waiting' || step === 'ask' || step === 'detach' || step === 'surplus';

/** The machine may be missing, or has to be put back. */
export const isUnderWay = (turn: Turn): boolean => !isOver(turn) && !isUntouched(turn);
