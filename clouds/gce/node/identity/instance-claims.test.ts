import { anything, assert, property } from 'fast-check';
import { EvidenceRefused } from '@kopsctl/node-cloud/machine-identity.ts';
import { expect, test } from 'vitest';
import { machineOfClaims } from './instance-claims.ts';

const NOW = 1_786_580_300_000;
const EXPECTED = { audience: 'kops-node-authority:demo.example.com:challenge', project: 'acme' };
const INSTANCE = {
  instance_confidentiality: 1,
  instance_creation_timestamp: 1_786_491_081,
  instance_id: '4570452845155348778',
  instance_name: 'nodes-us-east1-b-x7k2',
  project_id: 'acme',
  project_number: 123_456_789_012,
  zone: 'us-east1-b',
};
// The form of Google's documentation, "Verify VM identity".
const CLAIMS = {
  aud: EXPECTED.audience,
  azp: '112179062720391305885',
  email: 'nodes@acme.iam.gserviceaccount.com',
  email_verified: true,
  exp: NOW / 1000 + 3600,
  google: { compute_engine: INSTANCE },
  iat: NOW / 1000,
  iss: 'https://accounts.google.com',
  sub: '112179062720391305885',
};
const instance = (changes: object) => ({ google: { compute_engine: { ...INSTANCE, ...changes } } });

test('claims of a machine name it as its cloud does', () => {
  expect(machineOfClaims(CLAIMS, EXPECTED, NOW)).toEqual({
    instanceId: 'us-east1-b/nodes-us-east1-b-x7k2',
    principal: 'nodes@acme.iam.gserviceaccount.com',
  });
  for (const driftMs of [-60_000, 60_000]) {
    expect(machineOfClaims(CLAIMS, EXPECTED, NOW + driftMs)).toMatchObject({ principal: CLAIMS.email });
  }
});

test.each([
  ['of another issuer', { iss: 'accounts.google.com' }],
  ['of an issuer that looks like it', { iss: 'https://accounts.google.com.example.com' }],
  ['for another cluster', { aud: 'kops-node-authority:other.example.com:challenge' }],
  ['for another challenge', { aud: 'kops-node-authority:demo.example.com:other' }],
  ['for several audiences', { aud: [EXPECTED.audience, 'https://example.com'] }],
  ['for nobody', { aud: undefined }],
  ['that are 61 s old', { iat: NOW / 1000 - 61 }],
  ['of the future', { iat: NOW / 1000 + 61 }],
  ['of no time', { iat: undefined }],
  ['of a time as text', { iat: String(NOW / 1000) }],
  ['that have expired', { exp: NOW / 1000 }],
  ['that never expire', { exp: undefined }],
  ['without an address', { email: undefined }],
  ['with an address that is not verified', { email_verified: false }],
  ['with an address that is verified in words', { email_verified: 'true' }],
  ['with two addresses', { email: 'nodes@acme.iam.gserviceaccount.com masters@acme.iam.gserviceaccount.com' }],
  ['without a machine (format=standard, or made by a person)', { google: undefined }],
  ['without a machine in them', { google: {} }],
  ['with a list of machines', { google: { compute_engine: [INSTANCE] } }],
  ['of another project', instance({ project_id: 'evil' })],
  ['of the number of the project', instance({ project_id: '123456789012' })],
  ['without an instance id', instance({ instance_id: undefined })],
  ['with an instance id that is a name', instance({ instance_id: 'nodes-us-east1-b-x7k2' })],
  ['with an instance id that is a number', instance({ instance_id: 4_570_452_845 })],
  ['with a zone that leaves its place', instance({ zone: 'us-east1-b/control-plane' })],
  ['with a name that leaves its place', instance({ instance_name: 'x/../control-plane' })],
  ['without a name', instance({ instance_name: '' })],
])('claims %s are refused', (_, changes) => {
  // What Google leaves out is not there; JSON has no undefined.
  const claims: unknown = JSON.parse(JSON.stringify({ ...CLAIMS, ...changes }));
  expect(() => machineOfClaims(claims, EXPECTED, NOW)).toThrow(EvidenceRefused);
});

test('any other claims are refused, and for no other reason', () => {
  assert(
    property(anything(), (value) => {
      expect(() => machineOfClaims(value, EXPECTED, NOW)).toThrow(EvidenceRefused);
      const more = typeof value === 'object' ? value : {};
      expect(() => machineOfClaims({ ...CLAIMS, google: more }, EXPECTED, NOW)).toThrow(EvidenceRefused);
    }),
  );
});
