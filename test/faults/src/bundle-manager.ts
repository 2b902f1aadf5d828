import { join } from 'node:path';
import { bundle, MAIN_CHUNK, ROOT } from '@kopsctl/packaging-binary/bundle.ts';

const FOLDER = join(ROOT, 'dist/.build/manager-process');

/** The program of a manager that tests start. */
export const MANAGER = join(FOLDER, MAIN_CHUNK);

/** Makes the bundle of the manager: tests start it hundreds of times, and it starts in a third of the time that its sources need. */
export async function setup(): Promise<void> {
  await bundle(join(import.meta.dirname, 'manager-process.ts'), FOLDER);
}
