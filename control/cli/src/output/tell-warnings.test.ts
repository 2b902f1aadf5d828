import { once } from 'node:events';
import { expect, test } from 'vitest';
import { printed } from '../testing/printed.ts';
import { narrateAsJson } from './terminal.ts';
import { tellWarnings } from './tell-warnings.ts';

test.each([
  [false, ''],
  [true, '{"type":"note","message":"MetadataLookupWarning: no metadata server"}\n'],
])('where warnings of Node.js are told (%s), they are notes', async (isTold, stderr) => {
  const ended = await printed(async () => {
    narrateAsJson(true);
    tellWarnings(() => isTold);
    const warned = once(process, 'warning');
    process.emitWarning('no metadata server', 'MetadataLookupWarning');
    await warned;
    narrateAsJson(false);
    return 0;
  });
  expect(ended.stderr).toBe(stderr);
});
