import { expect, test } from 'vitest';
import { ifThere } from './if-there.ts';

const failing = (code: string): Promise<never> => Promise.reject(Object.assign(new Error(code), { code }));

test('what is not there is undefined, and every other failure is told', async () => {
  await expect(ifThere(Promise.resolve('text'))).resolves.toBe('text');
  await expect(ifThere(failing('ENOENT'))).resolves.toBeUndefined();
  await expect(ifThere(failing('ENOTDIR'))).resolves.toBeUndefined();
  await expect(ifThere(failing('EACCES'))).rejects.toThrow('EACCES');
});
