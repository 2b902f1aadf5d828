import * as z from 'zod';

/**
 * Size, times and inode of a file whose hash was known. No program can set the time of an inode's last change: it
 * reveals that bytes were replaced by the same number of others and that the time of their writing was put back.
 */
export const stampSchema = z.object({
  sha256: z.string(),
  size: z.number(),
  mtimeNs: z.string(),
  ctimeNs: z.string(),
  inode: z.string(),
});
export type FileStamp = Readonly<z.infer<typeof stampSchema>>;
