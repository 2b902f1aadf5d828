import { createKeyPair } from '@kopsctl/pki/key-pair.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { certificateRequest, type CheckedRequest, checkedRequest, type KubeletSubject } from './certificate-request.ts';

const { privateKeyPem } = await createKeyPair();
const wanted: KubeletSubject = { nodeName: 'nodes-1', dnsNames: ['nodes-1'], ipAddresses: ['10.0.0.11'] };
const bare: KubeletSubject = { nodeName: 'nodes-1', dnsNames: [], ipAddresses: [] };

const many: KubeletSubject = {
  nodeName: `${'a'.repeat(60)}.${'b'.repeat(60)}.example.com`,
  dnsNames: ['nodes-1', `${'c'.repeat(60)}.example.com`],
  ipAddresses: ['10.0.0.11', 'fd00::1', '2001:DB8:0:0:1::', '::', '1:2:3:4:5:6:7:8'],
};
test.each([wanted, bare, many])('a request of the machine is what it may ask for: %o', async (subject) => {
  const pem = await certificateRequest(subject, privateKeyPem);
  expect(await checkedRequest(pem, subject)).toEqual({ request: pem.trimEnd() });
});

test.each<[Partial<KubeletSubject>, RegExp]>([
  [{ nodeName: 'control-plane-1' }, /for O=system:nodes, CN=system:node:control-plane-1/],
  [{ nodeName: 'nodes-1,O=system:masters' }, /O=system:masters/],
  [{ dnsNames: ['kubernetes'] }, /kubernetes/],
  [{ dnsNames: ['nodes-1', 'kubernetes'] }, /kubernetes/],
  [{ ipAddresses: ['10.0.0.12'] }, /10\.0\.0\.12/],
  [{ ipAddresses: [] }, /signature/],
])('a request with %o is refused', async (other, why) => {
  const pem = await certificateRequest({ ...wanted, ...other }, privateKeyPem);
  expect(await checkedRequest(pem, wanted)).toEqual({ whyNot: expect.stringMatching(why) });
});

/** Go takes the first block and ignores blanks in it; the library here takes the first one without blanks. */
test.each<[string, (evil: string, honest: string) => string]>([
  ['two blocks', (evil, honest) => `${honest}${evil}`],
  ['a block that only Go reads', (evil, honest) => `${evil.replaceAll(/(?<!-)\n/g, ' \n')}${honest}`],
  ['a tab', (evil, honest) => `${evil.replaceAll(/(?<!-)\n/g, '\t\n')}${honest}`],
  ['headers', (evil, honest) => `${evil.replace('-----\n', '-----\nProc-Type: 4\n\n')}${honest}`],
  ['text around it', (_evil, honest) => `x\n${honest}y\n`],
])('of what is sent with %s, a signer sees what the machine may ask for, or nothing', async (_what, mixed) => {
  const honest = await certificateRequest(bare, privateKeyPem);
  const evil = await certificateRequest({ ...bare, nodeName: 'control-plane-1' }, privateKeyPem);
  const checked = await checkedRequest(mixed(evil, honest), bare);
  expect('request' in checked ? checked.request : 'nothing').toBeOneOf([honest.trimEnd(), 'nothing']);
});

test('a request that somebody changed is refused', async () => {
  const pem = await certificateRequest(wanted, privateKeyPem);
  const body = Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  body.writeUInt8(body.readUInt8(body.length - 1) ^ 1, body.length - 1);
  const changed = `-----BEGIN CERTIFICATE REQUEST-----\n${body.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
  expect(await checkedRequest(changed, wanted)).toEqual({ whyNot: expect.stringMatching(/signature/) });
});

test.each(['', 'x', '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n'])(
  '%j is not a request',
  async (text) => {
    expect(await checkedRequest(text, wanted)).toEqual({ whyNot: 'it is not a certificate request in PEM' });
  },
);

test('whatever somebody sends is not a request, or one for what it may ask', async () => {
  const der = Buffer.from(
    (await certificateRequest(wanted, privateKeyPem)).replaceAll(/-----[^-]+-----|\s/g, ''),
    'base64',
  );
  const pem = (bytes: Uint8Array): string => {
    const lines = Buffer.from(bytes).toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd();
    return `-----BEGIN CERTIFICATE REQUEST-----\n${lines}\n-----END CERTIFICATE REQUEST-----\n`;
  };
  const startOf = (checked: CheckedRequest): string => ('request' in checked ? checked.request.slice(0, 300) : 'none');
  const honest = startOf(await checkedRequest(pem(der), wanted));
  const changed = fc
    .tuple(fc.nat(der.length - 1), fc.nat(255), fc.nat(der.length))
    .map(([at, byte, end]) =>
      Buffer.concat([der.subarray(0, at), Buffer.of(byte), der.subarray(at + 1)]).subarray(0, end || undefined),
    );
  await fc.assert(
    fc.asyncProperty(fc.oneof(changed, fc.uint8Array({ maxLength: 300 })), async (bytes) => {
      // Only the signature can be written in several ways.
      expect(startOf(await checkedRequest(pem(bytes), wanted))).toBeOneOf([honest, 'none']);
    }),
    { numRuns: 300 },
  );
});
