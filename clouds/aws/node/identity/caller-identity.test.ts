import { EvidenceRefused } from '@kopsctl/node-cloud/machine-identity.ts';
import { expect, test } from 'vitest';
import { accountOf, machineOf, readCallerIdentity, refusalCode } from './caller-identity.ts';

const OWN = { partition: 'aws', account: '123456789012' };
const ROLE = 'arn:aws:sts::123456789012:assumed-role/nodes.demo.example.com';
const ARN = `${ROLE}/i-0123456789abcdef0`;

// STS API reference, GetCallerIdentity, example 3.
const answer = (inside: string) =>
  `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <GetCallerIdentityResult>${inside}</GetCallerIdentityResult>
  <ResponseMetadata><RequestId>01234567-89ab-cdef-0123-456789abcdef</RequestId></ResponseMetadata>
</GetCallerIdentityResponse>`;
const fields = (arn: string, account = '123456789012') =>
  `<Arn>${arn}</Arn><UserId>ARO123EXAMPLE123:i</UserId><Account>${account}</Account>`;

test("STS' answer is read", () => {
  expect(readCallerIdentity(answer(fields(ARN)))).toEqual({ account: '123456789012', arn: ARN });
});

test.each([
  ['two ARNs', answer(`${fields(ARN)}<Arn>${ARN}</Arn>`)],
  ['two accounts', answer(`${fields(ARN)}<Account>210987654321</Account>`)],
  ['two results', answer(`${fields(ARN)}</GetCallerIdentityResult><GetCallerIdentityResult>${fields(ARN)}`)],
  ['no ARN', answer('<Account>123456789012</Account>')],
  ['an ARN that is not where it belongs', answer(`<Account>1</Account><Other><Arn>${ARN}</Arn></Other>`)],
  ['elements in an ARN', answer(fields(`<a>${ARN}</a>`))],
  ['a second document', `${answer(fields(ARN))}${answer(fields(ARN))}`],
  ['the answer in a refusal', `<ErrorResponse>${answer(fields(ARN))}</ErrorResponse>`],
  ['the answer to another question', answer(fields(ARN)).replaceAll('GetCallerIdentityResponse', 'AssumeRoleResponse')],
  ['the answer in JSON', JSON.stringify({ GetCallerIdentityResponse: answer(fields(ARN)) })],
  ['JSON', JSON.stringify({ GetCallerIdentityResponse: { GetCallerIdentityResult: { Arn: ARN } } })],
  ['nothing', ''],
])('%s is not an answer', (_, document) => {
  expect(() => readCallerIdentity(document)).toThrow(Error);
});

test('a refusal is told by its code, which nothing but STS sends', () => {
  const refusal = (code: string) =>
    `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>-</Message></Error></ErrorResponse>`;
  expect(refusalCode(refusal('SignatureDoesNotMatch'))).toBe('SignatureDoesNotMatch');
  const listed = '<ErrorResponse><Errors><Error><Code>ExpiredToken</Code></Error></Errors></ErrorResponse>';
  expect(refusalCode(listed)).toBe('ExpiredToken');
  expect(refusalCode(refusal('two words'))).toBeUndefined();
  expect(refusalCode('<html><Error><Code>Proxy</Code></Error></html>')).toBeUndefined();
  expect(refusalCode('Bad Gateway')).toBeUndefined();
});

test("a machine's session is named after its instance", () => {
  const machine = { instanceId: 'i-0123456789abcdef0', principal: 'nodes.demo.example.com' };
  expect(machineOf({ account: OWN.account, arn: ARN }, OWN)).toEqual(machine);
  const older = { account: OWN.account, arn: `${ROLE}/i-01234567` };
  expect(machineOf(older, OWN)).toEqual({ ...machine, instanceId: 'i-01234567' });
});

test.each([
  ['a user', 'arn:aws:iam::123456789012:user/i-0123456789abcdef0'],
  ['a federated user', 'arn:aws:sts::123456789012:federated-user/i-0123456789abcdef0'],
  ['the role itself', 'arn:aws:iam::123456789012:role/nodes/i-0123456789abcdef0'],
  ['the root user', 'arn:aws:iam::123456789012:root'],
  ['a session with a chosen name', `${ROLE}/somebody`],
  ['a session with more than an id', `${ROLE}/i-0123456789abcdef0x`],
  ['an id in capitals', `${ROLE}/I-0123456789ABCDEF0`],
  ['two parts too many', `${ROLE}/a/i-0123456789abcdef0`],
  ['another account', ARN.replace('123456789012', '210987654321')],
  ['another partition', ARN.replace('arn:aws:', 'arn:aws-cn:')],
  ['a last newline', `${ARN}\n`],
])('%s is not a machine', (_, arn) => {
  expect(() => machineOf({ account: OWN.account, arn }, OWN)).toThrow(EvidenceRefused);
});

test('an answer that names two accounts proves nothing', () => {
  expect(() => machineOf({ account: '210987654321', arn: ARN }, OWN)).toThrow(EvidenceRefused);
  expect(() => accountOf({ account: '210987654321', arn: ARN })).toThrow('in the account');
  expect(accountOf({ account: '123456789012', arn: ARN.replace('arn:aws:', 'arn:aws-us-gov:') })).toEqual({
    partition: 'aws-us-gov',
    account: '123456789012',
  });
});
