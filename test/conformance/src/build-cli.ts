import { buildBinaries } from '@kopsctl/packaging-binary/build.ts';

/** Builds what tests run: the program as users install it, and the bundle in it. Later phases find both unchanged. */
export async function setup(): Promise<void> {
  await buildBinaries({ log: () => undefined });
}
