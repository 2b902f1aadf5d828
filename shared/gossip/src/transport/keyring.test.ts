import { expect, it } from 'vitest';
import { Keyring } from './keyring.ts';

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

it('counts what the first key encrypts, until another one is the first', () => {
  let nowMs = 1000;
  const keyring = new Keyring([OLD], () => nowMs);
  keyring.encrypts(3);
  nowMs = 1500;
  keyring.replace([OLD, NEW]);
  keyring.encrypts(1);
  expect(keyring.use).toEqual({ messages: 4, forMs: 500 });
  keyring.replace([NEW, OLD]);
  expect(keyring.use).toEqual({ messages: 0, forMs: 0 });
});
