import { z } from 'zod';

/** References that only say what comes first mean nothing to a handler. */
export const ordered = { after: z.unknown().optional() };

/** Absolute, and without parts that lead elsewhere. */
export const absolutePath = z
  .string()
  .refine((path) => path.startsWith('/') && !path.split('/').includes('..'), 'an absolute path without ..');

export const octalMode = z.string().regex(/^[0-7]{4}$/, 'four octal digits');
