import { expect, test } from 'vitest';
import { makeFolder } from './folder.ts';

test('a folder that takes no folders is an error, and not an endless try', async () => {
  await expect(makeFolder('/proc/nope/state', 0o755)).rejects.toThrow('ENOENT');
});
