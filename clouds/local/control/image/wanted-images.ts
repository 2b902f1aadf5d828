import * as z from 'zod';

const assetFile = z.strictObject({ file: z.string().regex(/^[\w@+=~-][\w@+=~.-]*$/), sha256: z.string() });

/** The container images of a cluster, as files of the assets folder. */
export const containerImagesSchema = z.strictObject({
  assetsDir: z.string(),
  /** The archive of the containerd that the machines run: its releases store images in different ways. */
  containerd: assetFile,
  images: z.array(assetFile.extend({ image: z.string() })),
});
export type ContainerImages = z.infer<typeof containerImagesSchema>;
