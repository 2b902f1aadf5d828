import { expect, test } from 'vitest';
import { urlHost } from './url-host.ts';

test.each([
  ['2001:db8::1', '[2001:db8::1]'],
  ['::1', '[::1]'],
  ['10.0.0.7', '10.0.0.7'],
  ['etcd-a.internal.demo.example.com', 'etcd-a.internal.demo.example.com'],
])('%s is %s in a URL', (host, written) => {
  expect(urlHost(host)).toBe(written);
  expect(new URL(`https://${urlHost(host)}:4001`).port).toBe('4001');
});
