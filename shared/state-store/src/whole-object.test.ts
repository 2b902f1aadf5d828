import { expect, test } from 'vitest';
import { wholeObject } from './whole-object.ts';

async function* chunks(...texts: readonly string[]) {
  for (const text of texts) yield Buffer.from(text);
}
const told = (thrown: unknown) => new Error(`cannot read: ${String(thrown)}`);

async function read(size: number, signal?: AbortSignal): Promise<string> {
  let text = '';
  for await (const chunk of wholeObject(size, chunks('ab', 'c'), signal, told)) text += Buffer.from(chunk).toString();
  return text;
}

test('an object arrives as it is', async () => {
  expect(await read(3)).toBe('abc');
});

test('a connection that ends early is a failure, not the end of the object', async () => {
  await expect(read(4)).rejects.toThrow('cannot read: Error: the connection ended after 3 of 4 bytes');
});

test('one that ends because nobody waits any more is not', async () => {
  await expect(read(4, AbortSignal.abort(new Error('stopped')))).rejects.toThrow(/^stopped$/);
});
