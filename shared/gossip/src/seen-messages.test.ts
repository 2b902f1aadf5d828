import { expect, it } from 'vitest';
import { SeenMessages } from './seen-messages.ts';

it('a message is new the first time, and again after it has been forgotten', () => {
  const seen = new SeenMessages();
  expect(seen.nameIfNew(Buffer.from('a'), 0)).toBeDefined();
  expect(seen.nameIfNew(Buffer.from('a'), 1000)).toBeUndefined();
  expect(seen.nameIfNew(Buffer.from('b'), 11 * 60 * 1000)).toBeDefined();
  expect(seen.nameIfNew(Buffer.from('a'), 11 * 60 * 1000)).toBeDefined();
});

it('the number of remembered messages is limited', () => {
  const seen = new SeenMessages();
  seen.nameIfNew(Buffer.from('first'), 0);
  for (let count = 0; count < 5000; count += 1) seen.nameIfNew(Buffer.from(`${count}`), 0);
  expect(seen.nameIfNew(Buffer.from('first'), 0)).toBeDefined();
});
