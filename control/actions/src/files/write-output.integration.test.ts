import { expect, test } from 'vitest';
import { writeFolder } from './write-folder.ts';
import { writeOutput } from './write-output.ts';

test('where no folder can be made, the file that could not be written is named, and nothing waits', async () => {
  const next = expect.stringMatching(/name (?:a folder|another file)/);
  const failed = { message: expect.stringContaining('cannot write /proc/x/page: ENOENT'), next };
  await expect(writeOutput('/proc/x/page', '')).rejects.toMatchObject(failed);
  await expect(writeFolder('/proc/x', new Map([['page', '']]))).rejects.toMatchObject(failed);
  const isFile = expect.stringMatching(/cannot write \/etc\/passwd\/page: E(?:EXIST|NOTDIR)/);
  await expect(writeFolder('/etc/passwd', new Map([['page', '']]))).rejects.toMatchObject({ message: isFile, next });
});
