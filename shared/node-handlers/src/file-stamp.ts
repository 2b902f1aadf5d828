import { z } from 'zod';

/**
 * Size, times and inode of a file whose hash was known. No program sets the time of the last change of an inode: it tells
 * of bytes that were replaced with others of the same number, and the time of their writing put back.
 */
export const stampSchema = z.object({
  sha256: z.string(),
  size: z.number(),
  mtimeNs: z.string(),
  ctimeNs: z.string(),
  inode: z.string(),
});
export type FileStamp = Readonly<z.infer<typeof stampSchema>>;
