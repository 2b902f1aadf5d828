import * as z from 'zod';

/** References that only order tasks mean nothing to a handler. */
export const ordered = { after: z.unknown().optional() };

/** An absolute path without `.` and `..`. */
export const absolutePath = z
  .string()
  .refine((path) => path.startsWith('/') && !path.split('/').includes('..'), 'an absolute path without ..');

export const octalMode = z.string().regex(/^[0-7]{4}$/, 'four octal digits');
