import { createHash, randomBytes } from 'node:crypto';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { createAwsEvidenceVerifier } from '@kopsctl/clouds/aws/node/identity/aws-evidence-verifier.ts';
import type { AwsEvidence } from '@kopsctl/clouds/aws/node/identity/aws-evidence.ts';
import { callerIdentityRequest } from '@kopsctl/clouds/aws/node/identity/caller-identity-request.ts';
import { awsNode } from '@kopsctl/clouds/aws/node/node-part.ts';
import { signRequest, type UnsignedRequest } from '@kopsctl/clouds/aws/node/sign-request.ts';
import { EvidenceRefused, type EvidenceVerifier } from '@kopsctl/node-cloud/machine-identity.ts';
import type { VerifierOptions } from '@kopsctl/node-cloud/node-part.ts';
import { often } from '@kopsctl/test-suite/long.ts';
import {
  anything,
  assert,
  asyncProperty,
  constantFrom,
  oneof,
  record,
  string,
  stringMatching,
  tuple,
} from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serveMetadata } from './aws-machine.ts';
import { startMoto } from './moto.ts';
import { credentials } from './s3-server.ts';
import { serve } from './serve-test-server.ts';
import { callerAnswer, callerFields, serveSts, type Session, type StsServer } from './sts-server.ts';

const REGION = 'us-east-1';
const ACCOUNT = '123456789012';
const CLUSTER = 'demo.example.com';
const WORKER = 'i-0123456789abcdef0';
const TIMEOUT_MS = 120_000;

const signal = AbortSignal.timeout(10 * TIMEOUT_MS);
const challengeOf = (text: string): Uint8Array => createHash('sha256').update(text).digest();
const CHALLENGE = challengeOf('an authority and a machine');

type Keys = Pick<Session, 'accessKeyId' | 'secretAccessKey' | 'sessionToken'>;

const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
});

/** The environment of a machine with these keys. Keys in the environment itself are not the machine's. */
async function machineWith(keys: Keys, sts: string, region = REGION): Promise<Readonly<Record<string, string>>> {
  const role = {
    Code: 'Success',
    AccessKeyId: keys.accessKeyId,
    SecretAccessKey: keys.secretAccessKey,
    Token: keys.sessionToken,
    Expiration: new Date(Date.now() + 6 * 60 * 60 * 1000).toISOString(),
  };
  const server = await serveMetadata({
    'placement/region': region,
    'iam/security-credentials/': 'nodes',
    'iam/security-credentials/nodes': JSON.stringify(role),
  });
  stops.push(() => server.stop());
  return {
    AWS_EC2_METADATA_SERVICE_ENDPOINT: server.url,
    AWS_ENDPOINT_URL_STS: sts,
    AWS_ACCESS_KEY_ID: 'AKIAOFASTATESTORE000',
    AWS_SECRET_ACCESS_KEY: 'of a state store elsewhere',
  };
}

async function evidenceOf(env: Readonly<Record<string, string>>, challenge = CHALLENGE): Promise<AwsEvidence> {
  const evidence = await awsNode.openIdentity?.({ cluster: CLUSTER, env }).evidence(challenge, signal);
  // What arrives is what JSON keeps.
  return JSON.parse(JSON.stringify(evidence));
}

/** A cloud that lists its machines itself asks the state store for nothing. */
const openStore = async (): Promise<never> => Promise.reject(new Error('the state store is not asked'));

/** What an authority gets to know of the machine that it runs on. */
function factsOn(env: Readonly<Record<string, string>>): VerifierOptions['facts'] {
  const facts = awsNode.openVerifierFacts?.({ cluster: CLUSTER, env, openStore });
  return async (asking) => JSON.parse(JSON.stringify(await facts?.(asking)));
}

function verifierOn(env: Readonly<Record<string, string>>): EvidenceVerifier {
  const verifier = awsNode.openVerifier?.({ cluster: CLUSTER, facts: factsOn(env) });
  if (verifier === undefined) throw new Error('AWS has no verifier');
  return verifier;
}

const moto = await startMoto();

describe.skipIf(moto === undefined)("evidence before a third party's STS", () => {
  if (moto === undefined) return;
  stops.push(() => moto.stop());
  const sts = new STSClient({ endpoint: moto.endpoint, region: REGION, credentials });
  const assumeRole = async (role: string, RoleSessionName: string): Promise<Keys> => {
    const RoleArn = `arn:aws:iam::${ACCOUNT}:role/${role}`;
    const { Credentials } = await sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName }));
    return {
      accessKeyId: Credentials?.AccessKeyId ?? '',
      secretAccessKey: Credentials?.SecretAccessKey ?? '',
      sessionToken: Credentials?.SessionToken ?? '',
    };
  };
  let verifier: EvidenceVerifier;
  let workerKeys: Keys;
  let personKeys: Keys;
  beforeAll(async () => {
    const authorityKeys = await assumeRole(`masters.${CLUSTER}`, 'i-0fedcba9876543210');
    workerKeys = await assumeRole(`nodes.${CLUSTER}`, WORKER);
    personKeys = await assumeRole(`nodes.${CLUSTER}`, 'alice');
    verifier = verifierOn(await machineWith(authorityKeys, moto.endpoint));
    await moto.checkAuthorization(true);
  });

  test('proves the instance and its role', { timeout: TIMEOUT_MS }, async () => {
    const env = await machineWith(workerKeys, moto.endpoint);
    for (const challenge of [CHALLENGE, randomBytes(32), randomBytes(32)]) {
      const evidence = await evidenceOf(env, challenge);
      expect(Object.keys(evidence).toSorted()).toEqual(['accessKeyId', 'date', 'region', 'sessionToken', 'signature']);
      expect(await verifier.verify(evidence, challenge, signal)).toEqual({
        instanceId: WORKER,
        principal: `nodes.${CLUSTER}`,
      });
    }
  });

  test('proves nothing for another challenge, with another secret or token, or altered', async () => {
    const env = await machineWith(workerKeys, moto.endpoint);
    const evidence = await evidenceOf(env);
    const refused = async (value: unknown, challenge = CHALLENGE) =>
      expect(verifier.verify(value, challenge, signal)).rejects.toThrow(EvidenceRefused);
    await refused(evidence, challengeOf('another authority'));
    await refused(await evidenceOf(env, challengeOf('another cluster')));
    await refused({ ...evidence, signature: evidence.signature.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) });
    await refused({ ...evidence, sessionToken: personKeys.sessionToken });
    await refused({ ...evidence, accessKeyId: personKeys.accessKeyId });
    await refused({ ...evidence, date: `${evidence.date.slice(0, 13)}${evidence.date[13] === '0' ? '1' : '0'}00Z` });
    await refused(await evidenceOf(await machineWith({ ...workerKeys, secretAccessKey: 'x' }, moto.endpoint)));
    expect(await verifier.verify(evidence, CHALLENGE, signal)).toMatchObject({ instanceId: WORKER });
  });

  test('of a session with a chosen name proves nothing', async () => {
    const evidence = await evidenceOf(await machineWith(personKeys, moto.endpoint));
    await expect(verifier.verify(evidence, CHALLENGE, signal)).rejects.toThrow('is not the role of a machine');
  });
});

const sessionOf = (name: string, arn: string, account = ACCOUNT): Session => ({
  accessKeyId: `ASIA${name.toUpperCase().padEnd(16, '0')}`,
  secretAccessKey: `secret of ${name}`,
  sessionToken: Buffer.from(`the token of ${name}`).toString('base64'),
  arn,
  account,
});
const roleOf = (instance: string, partition = 'aws', account = ACCOUNT) =>
  `arn:${partition}:sts::${account}:assumed-role/nodes.${CLUSTER}/${instance}`;

const AUTHORITY = sessionOf('authority', roleOf('i-0fedcba9876543210'));
const MACHINE = sessionOf('machine', roleOf(WORKER));
const STRANGERS: Readonly<Record<string, Session>> = {
  'another account': sessionOf('account', roleOf(WORKER, 'aws', '210987654321'), '210987654321'),
  'another account, as STS would not say': sessionOf('liar', roleOf(WORKER), '210987654321'),
  'another partition': sessionOf('partition', roleOf(WORKER, 'aws-cn')),
  'a user of that name': sessionOf('user', `arn:aws:iam::${ACCOUNT}:user/${WORKER}`),
  'a federated user of that name': sessionOf('federated', `arn:aws:sts::${ACCOUNT}:federated-user/${WORKER}`),
  'a session of that role by hand': sessionOf('alice', roleOf('alice')),
};

describe('evidence before an STS that lies, or clients that do', () => {
  let sts: StsServer;
  let verifier: EvidenceVerifier;
  let evidence: AwsEvidence;
  beforeAll(async () => {
    sts = await serveSts([AUTHORITY, MACHINE, ...Object.values(STRANGERS)]);
    stops.push(() => sts.stop());
    verifier = verifierOn(await machineWith(AUTHORITY, sts.url));
    evidence = await evidenceOf(await machineWith(MACHINE, sts.url));
    // The authority asks once for its own account.
    await verifier.verify(evidence, CHALLENGE, signal);
  });
  beforeEach(() => sts.forget());
  afterEach(() => sts.answerBy(undefined));

  const proved = () => verifier.verify(evidence, CHALLENGE, signal);
  const HEADERS = [
    'content-type',
    'host',
    'x-amz-date',
    'x-amz-security-token',
    'x-kops-attest',
    'authorization',
    'content-length',
    'connection',
  ].toSorted();

  /** What reached STS is one and the same request, whatever was sent as evidence. */
  function expectOnlyThatRequest(): void {
    for (const { request, headerNames, headers, body } of sts.received) {
      expect(request).toBe('POST /');
      expect(headerNames.map((name) => name.toLowerCase()).toSorted()).toEqual(HEADERS);
      expect(headers).toMatchObject({
        host: new URL(sts.url).host,
        'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
        'x-kops-attest': Buffer.from(CHALLENGE).toString('base64url'),
        'content-length': String(body.length),
      });
      expect(headers['authorization']).toMatch(
        /^AWS4-HMAC-SHA256 Credential=ASIA[A-Z0-9]+\/\d{8}\/us-east-1\/sts\/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-kops-attest, Signature=[0-9a-f]{64}$/,
      );
      expect(body).toBe('Action=GetCallerIdentity&Version=2011-06-15');
    }
  }

  test('proves the instance with one request', async () => {
    expect(await proved()).toEqual({ instanceId: WORKER, principal: `nodes.${CLUSTER}` });
    expect(sts.received).toHaveLength(1);
    expectOnlyThatRequest();
  });

  const REQUEST = () => callerIdentityRequest({ endpoint: sts.url, region: REGION }, CHALLENGE);
  const ATTEST = Buffer.from(CHALLENGE).toString('base64url');
  test.each<[string, (request: UnsignedRequest) => Partial<UnsignedRequest>]>([
    ['without the header of the challenge', () => ({ headers: {} })],
    ['with an empty challenge', () => ({ headers: { 'x-kops-attest': '' } })],
    ['with the header in other letters', () => ({ headers: { 'X-Kops-Attest': ATTEST } })],
    ['with the header twice', () => ({ headers: { 'x-kops-attest': `${ATTEST},${ATTEST}` } })],
    ['with another header', ({ headers }) => ({ headers: { ...headers, accept: 'application/json' } })],
    ['with a doubled parameter', ({ body }) => ({ body: `${body}&Action=GetSessionToken` })],
    ['with a parameter in other letters', ({ body }) => ({ body: body.replace('Action', 'action') })],
    ['of another action', ({ body }) => ({ body: body.replace('GetCallerIdentity', 'GetAccessKeyInfo') })],
    ['of another version', ({ body }) => ({ body: body.replace('2011-06-15', '2010-05-08') })],
    ['for another type of body', () => ({ contentType: 'application/json' })],
    ['for another host', () => ({ host: 'sts.us-east-1.amazonaws.com' })],
    ['for another service', () => ({ service: 'iam' })],
    ['for another region', () => ({ region: 'us-west-2' })],
  ])('of a request %s is refused', async (_, changes) => {
    const request = REQUEST();
    const signed = signRequest({ ...request, ...changes(request) }, MACHINE, Date.now());
    const sent = { region: REGION, ...signed };
    await expect(verifier.verify(sent, CHALLENGE, signal)).rejects.toThrow(EvidenceRefused);
    expect(sts.received).toHaveLength(1);
    expectOnlyThatRequest();
  });

  test('for another region is refused without asking anybody', async () => {
    const elsewhere = await evidenceOf(await machineWith(MACHINE, sts.url, 'us-west-2'));
    await expect(verifier.verify(elsewhere, CHALLENGE, signal)).rejects.toThrow('it is for STS in us-west-2');
    expect(sts.received).toEqual([]);
  });

  test('that is old is refused without asking anybody', async () => {
    const env = await machineWith(AUTHORITY, sts.url);
    const later = createAwsEvidenceVerifier({ facts: factsOn(env) }, () => Date.now() + 5 * 60_000 + 2000);
    await expect(later.verify(evidence, CHALLENGE, signal)).rejects.toThrow(/was signed 30\d(\.\d+)? s ago/);
    expect(sts.received).toEqual([]);
  });

  test.each(Object.entries(STRANGERS))('of %s is refused', async (_, stranger) => {
    const foreign = await evidenceOf(await machineWith(stranger, sts.url));
    await expect(verifier.verify(foreign, CHALLENGE, signal)).rejects.toThrow(EvidenceRefused);
    expect(sts.received).toHaveLength(1);
  });

  const OTHER = callerFields({ arn: roleOf('i-0fedcba9876543210'), account: ACCOUNT });
  const OURS = callerFields(MACHINE);
  test.each([
    ['JSON', JSON.stringify({ GetCallerIdentityResponse: { GetCallerIdentityResult: { Arn: MACHINE.arn } } })],
    ['two ARNs', callerAnswer(`${OURS}${OTHER}`)],
    ['the same ARN twice', callerAnswer(`${OURS}<Arn>${MACHINE.arn}</Arn>`)],
    ['two results', callerAnswer(`${OURS}</GetCallerIdentityResult><GetCallerIdentityResult>${OTHER}`)],
    ['two documents', `${callerAnswer(OTHER)}${callerAnswer(OURS)}`],
    ['another document', `<AssumeRoleResponse>${callerAnswer(OURS)}</AssumeRoleResponse>`],
    ['half of an answer', callerAnswer(OURS).slice(0, -20)],
    ['nothing', ''],
  ])('proves nothing when STS answers %s', async (_, text) => {
    sts.answerBy((answer) => answer.writeHead(200).end(text));
    const verifying = proved();
    await expect(verifying).rejects.toMatchObject({ what: expect.stringContaining('ask STS') });
    expect(sts.received).toHaveLength(1);
  });

  test('proves nothing when STS answers with 10 MB', { timeout: TIMEOUT_MS }, async () => {
    sts.answerBy((answer, right) => answer.writeHead(200).end(`${right}${' '.repeat(10 * 1024 * 1024)}`));
    await expect(proved()).rejects.toMatchObject({ why: 'the answer is larger than 65536 bytes' });
  });

  test('proves nothing at the end of a redirect, which is not followed', async () => {
    const elsewhere = await serve((_, answer) => answer.end(callerAnswer(OURS)));
    stops.push(() => elsewhere.stop());
    for (const status of [301, 302, 307, 308]) {
      sts.answerBy((answer, right) => answer.writeHead(status, { location: elsewhere.url }).end(right));
      await expect(proved()).rejects.toMatchObject({ why: `it answered ${status}` });
    }
    expect(elsewhere.asked).toEqual([]);
    expect(sts.received).toHaveLength(4);
  });

  test('is asked for again when STS is busy, and not refused when it stays so', { timeout: TIMEOUT_MS }, async () => {
    const throttled = '<ErrorResponse><Error><Code>Throttling</Code><Message>-</Message></Error></ErrorResponse>';
    let left = 2;
    sts.answerBy((answer, right) => {
      left -= 1;
      return left < 0 ? answer.end(right) : answer.writeHead(left === 0 ? 503 : 400).end(throttled);
    });
    expect(await proved()).toMatchObject({ instanceId: WORKER });
    sts.answerBy((answer) => answer.writeHead(400).end(throttled));
    await expect(proved()).rejects.toMatchObject({ why: 'it answered Throttling' });
    expect(sts.received).toHaveLength(6);
  });

  test('cannot be verified by an authority that STS does not believe', async () => {
    const env = await machineWith({ ...AUTHORITY, secretAccessKey: 'wrong' }, sts.url);
    await expect(verifierOn(env).verify(evidence, CHALLENGE, signal)).rejects.toMatchObject({
      why: 'STS refuses the signature: SignatureDoesNotMatch',
      next: expect.stringContaining('clock'),
    });
  });

  test('made up at random is refused, and nothing but that one request is sent', { timeout: TIMEOUT_MS }, async () => {
    const text = oneof(
      string({ unit: 'binary' }),
      constantFrom('', '\r\nhost: evil', '@evil.example.com', '../', '?Action=AssumeRole', `${MACHINE.accessKeyId}/`),
    );
    const altered = tuple(constantFrom<keyof AwsEvidence>('region', 'accessKeyId', 'sessionToken', 'signature'), text);
    const wellFormed = record({
      region: constantFrom(REGION),
      date: constantFrom(evidence.date),
      accessKeyId: oneof(constantFrom(MACHINE.accessKeyId), stringMatching(/^ASIA[A-Z0-9]{16}$/)),
      sessionToken: oneof(constantFrom(MACHINE.sessionToken), stringMatching(/^[A-Za-z0-9+/]{16,99}={0,2}$/)),
      signature: stringMatching(/^[0-9a-f]{64}$/),
    });
    const values = oneof(
      anything({ withNullPrototype: true }),
      altered.map(([name, value]) => ({ ...evidence, [name]: `${evidence[name]}${value}x` })),
      altered.map(([name, value]) => ({ ...evidence, [name]: value })),
      tuple(string(), anything()).map(([name, value]) => ({ ...evidence, [`more ${name}`]: value })),
      wellFormed,
    );
    await assert(
      asyncProperty(values, async (value) => {
        await expect(verifier.verify(value, CHALLENGE, signal)).rejects.toThrow(EvidenceRefused);
      }),
      { numRuns: often(1000, 20_000) },
    );
    // Some are well-formed, so that the property is about what is sent as well.
    expect(sts.received.length).toBeGreaterThan(50);
    expectOnlyThatRequest();
  });
});
