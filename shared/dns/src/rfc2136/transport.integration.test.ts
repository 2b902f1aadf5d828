import { expect, test } from 'vitest';
import { realTransport } from './transport.ts';

/** Linux connects no socket to it that has not asked for broadcasts. */
const BROADCAST = '255.255.255.255';

test('a question by UDP fails with the reason why the socket cannot be connected', async () => {
  const asked = realTransport.udp({ host: BROADCAST, port: 53 }, Buffer.from('question'), () => true, 10_000);
  await expect(asked).rejects.toThrow(/^connect (EACCES|ENETUNREACH) 255/);
});
