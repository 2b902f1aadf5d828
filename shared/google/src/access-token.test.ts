import { expect, test } from 'vitest';
import { machineToken } from './access-token.ts';

const { signal } = new AbortController();

/** A metadata server whose answers are given one by one; an error is thrown. */
function metadata(answers: (string | Error | undefined)[]) {
  const asked: string[] = [];
  const find = async (path: string) => {
    asked.push(path);
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { asked, find, read: async (path: string) => (await find(path)) ?? '' };
}

const token = (access_token: string) => JSON.stringify({ access_token, expires_in: 3599, token_type: 'Bearer' });

test('a token is kept until shortly before it ends', async () => {
  const server = metadata([token('a'), token('b')]);
  let nowMs = 0;
  const ask = machineToken(server, () => nowMs);
  const got = [];
  for (nowMs of [0, 3_000_000, 3_400_000]) got.push(await ask(signal));
  expect(got).toEqual(['a', 'a', 'b']);
  expect(server.asked).toEqual(Array(2).fill('instance/service-accounts/default/token'));
});

test('while the server is away the old token is used, until it ends', async () => {
  const away = new Error('away');
  let nowMs = 0;
  const ask = machineToken(metadata([token('a'), away, away]), () => nowMs);
  await ask(signal);
  nowMs = 3_590_000;
  expect(await ask(signal)).toBe('a');
  nowMs = 3_600_000;
  await expect(ask(signal)).rejects.toThrow('away');
});

test('a machine without a service account is named as that', async () => {
  const ask = machineToken(metadata([undefined]), () => 0);
  await expect(ask(signal)).rejects.toMatchObject({ why: 'this machine has no service account' });
});

test.each(['{}', 'null', '[]', 'a page of a proxy'])('the answer %s has no token', async (answer) => {
  const ask = machineToken(metadata([answer]), () => 0);
  await expect(ask(signal)).rejects.toThrow('without a token');
});
