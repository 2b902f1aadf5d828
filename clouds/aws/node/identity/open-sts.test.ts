import { expect, test } from 'vitest';
import { openSts } from './open-sts.ts';

const { signal } = new AbortController();
const metadata = (region: string, domain: string) => ({
  read: async (path: string) => (path === 'placement/region' ? region : domain),
});

test('STS is that of the region, over TLS', async () => {
  expect(await openSts(metadata('us-east-1', 'amazonaws.com'), {}, signal)).toEqual({
    endpoint: 'https://sts.us-east-1.amazonaws.com/',
    region: 'us-east-1',
  });
  expect(await openSts(metadata('cn-north-1', 'amazonaws.com.cn'), {}, signal)).toMatchObject({
    endpoint: 'https://sts.cn-north-1.amazonaws.com.cn/',
  });
});

test('STS is elsewhere if AWS’s own variables say so, but not below another path', async () => {
  const at = (env: Readonly<Record<string, string>>) => openSts(metadata('us-east-1', 'amazonaws.com'), env, signal);
  expect(await at({ AWS_ENDPOINT_URL: 'http://127.0.0.1:5000' })).toMatchObject({ endpoint: 'http://127.0.0.1:5000/' });
  expect(await at({ AWS_ENDPOINT_URL: 'http://a/', AWS_ENDPOINT_URL_STS: 'https://b/' })).toMatchObject({
    endpoint: 'https://b/',
  });
  await expect(at({ AWS_ENDPOINT_URL_STS: 'https://b/sts' })).rejects.toThrow('requests are signed for the path /');
});
