import { anything, assert, constantFrom, jsonValue, property, record, string, tuple } from 'fast-check';
import { EvidenceRefused } from '@kopsctl/node-cloud/machine-identity.ts';
import { expect, test } from 'vitest';
import { type AwsEvidence, parseAwsEvidence } from './aws-evidence.ts';

const NOW = Date.UTC(2026, 10, 22, 21, 0, 0);
const EVIDENCE: AwsEvidence = {
  region: 'us-east-1',
  accessKeyId: 'ASIAIOSFODNN7EXAMPLE',
  date: '20261122T205900Z',
  sessionToken: 'FQoGZXIvYXdzEBYaD+/1234==',
  signature: '5'.repeat(64),
};
const parse = (changes: object) => parseAwsEvidence({ ...EVIDENCE, ...changes }, NOW);

test('evidence is parsed', () => {
  expect(parse({})).toEqual(EVIDENCE);
  for (const region of ['us-gov-west-1', 'cn-north-1', 'us-iso-east-1', 'eusc-de-east-1', 'ap-southeast-12']) {
    expect(parse({ region }).region).toBe(region);
  }
  expect(parse({ date: '20261122T205500Z' }).date).toBe('20261122T205500Z');
  expect(parse({ date: '20261122T210500Z' }).date).toBe('20261122T210500Z');
});

test.each([
  ['another field', { headers: { accept: 'application/json' } }],
  ['a field of a prototype', JSON.parse('{"__proto__": "us-east-1"}')],
  ['a missing token', { sessionToken: undefined }],
  ['a region that is a host', { region: 'us-east-1.example.com/' }],
  ['a region that leaves its place', { region: '@evil.example.com/us-east-1' }],
  ['the keys of a user', { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' }],
  ['an access key with a scope', { accessKeyId: 'ASIAIOSFODNN7EXAMPLE/20261122/us-east-1/sts/aws4_request, x=' }],
  ['a token with a header', { sessionToken: 'FQoGZXIvYXdzEBYaD\r\naccept: application/json' }],
  ['a token with a last newline', { sessionToken: `${EVIDENCE.sessionToken}\n` }],
  ['a signature with a second one', { signature: `${'5'.repeat(64)},Signature=${'6'.repeat(64)}` }],
  ['a signature in capitals', { signature: 'A'.repeat(64) }],
  ['a list', { signature: [EVIDENCE.signature] }],
  ['a date that does not exist', { date: '20261322T205900Z' }],
  ['a date of ISO 8601', { date: '2026-11-22T20:59:00Z' }],
  ['an old date', { date: '20261122T205459Z' }],
  ['a date far ahead', { date: '20261122T210501Z' }],
])('%s is refused', (_, changes) => {
  expect(() => parse(Object.assign(Object.create(null), changes))).toThrow(EvidenceRefused);
});

test.each([[null], [undefined], ['text'], [5], [[]], [[EVIDENCE]], [() => EVIDENCE]])('%s is refused', (value) => {
  expect(() => parseAwsEvidence(value, NOW)).toThrow(EvidenceRefused);
});

test('whatever else is sent is refused, and for no other reason', () => {
  assert(
    property(anything({ withNullPrototype: true }), (value) => {
      expect(() => parseAwsEvidence(value, NOW)).toThrow(EvidenceRefused);
    }),
  );
  const name = constantFrom(...Object.keys(EVIDENCE));
  assert(
    property(tuple(name, jsonValue()), record({ more: string() }), ([field, value], more) => {
      expect(() => parseAwsEvidence({ ...EVIDENCE, [field]: value }, NOW)).toThrow(EvidenceRefused);
      expect(() => parseAwsEvidence({ ...EVIDENCE, ...more }, NOW)).toThrow(EvidenceRefused);
    }),
  );
});
