import { expect, test } from 'vitest';
import { publicFileHandler } from './public-file.ts';
import { answeredAccount } from './testdata/answered-account.ts';

const FILE = { bucket: 'issuers', key: 'demo/openid/v1/jwks', content: '{}', contentType: 'application/json' };

/** The access control list with which a file is written into a bucket whose policy lets everybody read it, or not. */
async function writtenWith(isPublic: boolean, needsAcl: boolean): Promise<unknown> {
  const written: object[] = [];
  const aws = answeredAccount({ clusterName: 'demo.example.com' }, (command, input) => {
    if (command === 'GetBucketPolicyStatusCommand') return { PolicyStatus: { IsPublic: isPublic } };
    if (command !== 'PutObjectCommand') throw new Error(`${command} was not expected`);
    written.push(input);
    return {};
  });
  const step = { action: 'create', summary: '' } as const;
  await publicFileHandler.apply(step, 'jwks', { ...FILE, needsAcl }, { aws }, AbortSignal.any([]));
  expect(written).toHaveLength(1);
  return Reflect.get(written[0] ?? {}, 'ACL');
}

test('a file that everybody reads in the bucket gets an access control list only where the policy does not allow that', async () => {
  expect(await writtenWith(false, true)).toBe('public-read');
  expect(await writtenWith(true, true)).toBeUndefined();
});

test('a file that a server of the user serves is not made public', async () => {
  expect(await writtenWith(false, false)).toBeUndefined();
});
