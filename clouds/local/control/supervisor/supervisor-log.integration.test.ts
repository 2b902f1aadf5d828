import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';

test('A supervisor whose log is on a full disk goes on', async () => {
  const file = JSON.stringify(join(import.meta.dirname, 'supervisor-log.ts'));
  const program = `
    import { supervisorLog } from ${file};
    supervisorLog.info('first');
    supervisorLog.info('second');
    setImmediate(() => process.stdout.write('went on'));
  `;
  const node = [process.execPath, '--input-type=module', '--eval', program];
  const { stdout } = await execa('sh', ['-c', 'exec "$@" 2> /dev/full', 'sh', ...node]);
  expect(stdout).toBe('went on');
});
