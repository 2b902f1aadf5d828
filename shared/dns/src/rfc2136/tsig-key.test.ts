import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { parseTsigKey } from './tsig-key.ts';

const secret = Buffer.from('a secret of 32 bytes for testing').toString('base64');

test.each([
  `hmac-sha512:agents.example.com.:${secret}`,
  `key "agents.example.com" {\n\talgorithm hmac-sha512;\n\tsecret "${secret}";\n};\n`,
])('a key is parsed in either format of the name server tools', (text) => {
  const key = parseTsigKey(text);
  expect(key).toMatchObject({ name: 'agents.example.com', algorithm: 'hmac-sha512' });
  expect(key.isMacOf(key.mac([Buffer.from('x')]), [Buffer.from('x')])).toBe(true);
  expect(key.isMacOf(key.mac([Buffer.from('x')]), [Buffer.from('y')])).toBe(false);
});

test('printing a key does not print its secret', () => {
  const key = parseTsigKey(`hmac-sha256:agents:${secret}`);
  expect(`${inspect(key, { showHidden: true, depth: 9 })} ${JSON.stringify(key)}`).not.toContain('secret');
  expect(inspect(key, { showHidden: true, depth: 9 })).not.toContain(secret);
});

test.each([`hmac-md5:agents:${secret}`, `agents ${secret}`, `key agents { secret "${secret}"; };`])(
  'a text in another format is refused without quoting it',
  (text) => {
    let message = '';
    try {
      parseTsigKey(text);
    } catch (thrown) {
      message = messageOf(thrown);
    }
    expect(message).toContain('cannot read the TSIG key');
    expect(message).not.toContain(secret);
  },
);
