import { buildCliBundle } from '@kopsctl/packaging-binary/build.ts';

/** Makes the bundle of the CLI that tests run: it starts in half of the time that the sources need. */
export async function setup(): Promise<void> {
  await buildCliBundle();
}
