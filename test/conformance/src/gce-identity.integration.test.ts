import { createHash, createHmac, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createGceEvidenceVerifier } from '@kopsctl/clouds/gce/node/identity/gce-evidence-verifier.ts';
import { gceNode } from '@kopsctl/clouds/gce/node/node-part.ts';
import { EvidenceRefused, type EvidenceVerifier } from '@kopsctl/node-cloud/machine-identity.ts';
import { often } from '@kopsctl/test-suite/long.ts';
import { anything, assert, asyncProperty, nat, oneof, string, tuple } from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type GceMachine, metadataOf, serveGceMetadata } from './gce-machine.ts';
import { CACHED_SECONDS, claimsOf, type GoogleIssuer, serveGoogle, signToken } from './google-issuer.ts';

/** A cloud that lists its machines itself asks the state store for nothing. */
const openStore = async (): Promise<never> => Promise.reject(new Error('the state store is not asked'));

const CLUSTER = 'demo.example.com';
const CHALLENGE: Uint8Array = createHash('sha256').update('an authority and a machine').digest();
const TIMEOUT_MS = 60_000;

const AUTHORITY: GceMachine = {
  project: 'acme',
  zone: 'us-east1-b',
  name: 'control-plane-us-east1-b-0',
  address: '10.0.0.1',
  token: 'token-of-the-authority',
};
const MACHINE: GceMachine = { ...AUTHORITY, name: 'nodes-us-east1-c-x7k2', zone: 'us-east1-c', address: '10.0.0.2' };
const PROVEN = { instanceId: 'us-east1-c/nodes-us-east1-c-x7k2', principal: 'nodes@acme.iam.gserviceaccount.com' };

describe('evidence of a machine in GCE', () => {
  const signal = AbortSignal.timeout(10 * TIMEOUT_MS);
  const stops: (() => Promise<void>)[] = [];
  let google: GoogleIssuer;
  let env: Readonly<Record<string, string>>;
  let verifier: EvidenceVerifier;

  const envOf = async (machine: GceMachine): Promise<Readonly<Record<string, string>>> => {
    const server = await serveGceMetadata(metadataOf(machine), {
      'instance/service-accounts/default/identity': (query) => google.tokenFor(machine, query),
    });
    stops.push(() => server.stop());
    return { GCE_METADATA_HOST: server.url, KOPS_GOOGLE_KEYS_URL: `${google.url}/oauth2/v3/certs` };
  };
  const evidenceOf = async (machine: GceMachine, challenge = CHALLENGE, cluster = CLUSTER): Promise<unknown> => {
    const evidence = await gceNode.openIdentity?.({ cluster, env: await envOf(machine) }).evidence(challenge, signal);
    return JSON.parse(JSON.stringify(evidence));
  };
  /** What the authority gets to know of its own machine. */
  const facts = async (asking: AbortSignal): Promise<unknown> =>
    JSON.parse(JSON.stringify(await gceNode.openVerifierFacts?.({ cluster: CLUSTER, env, openStore })(asking)));
  /** The reason why evidence is refused. */
  const refusal = async (evidence: unknown): Promise<string> => {
    try {
      return `not refused: ${(await verifier.verify(evidence, CHALLENGE, signal)).instanceId}`;
    } catch (thrown) {
      if (thrown instanceof EvidenceRefused) return thrown.message;
      throw thrown;
    }
  };

  beforeAll(async () => {
    google = await serveGoogle();
    stops.push(() => google.stop());
    env = await envOf(AUTHORITY);
  });
  beforeEach(() => {
    const opened = gceNode.openVerifier?.({ cluster: CLUSTER, facts });
    if (opened === undefined) throw new Error('GCE has no verifier');
    verifier = opened;
    google.asked.splice(0);
  });
  afterEach(() => google.answerBy(undefined));
  afterAll(async () => {
    for (const stop of stops) await stop();
  });

  test('proves the instance and its service account, and asks Google for its keys once', async () => {
    for (const challenge of [CHALLENGE, randomBytes(32), randomBytes(32)]) {
      const evidence = await evidenceOf(MACHINE, challenge);
      expect(await verifier.verify(evidence, challenge, signal)).toEqual(PROVEN);
    }
    expect(google.asked).toEqual(['GET /oauth2/v3/certs']);
  });

  test('names the machine as the list of machines does', async () => {
    const cloud = gceNode.openCloud({
      cluster: CLUSTER,
      naming: { nodeName: MACHINE.name },
      env: await envOf(MACHINE),
      openStore,
    });
    expect((await cloud.facts(signal)).instanceId).toBe(PROVEN.instanceId);
  });

  test('proves nothing for another challenge, cluster or project', async () => {
    expect(await refusal(await evidenceOf(MACHINE, randomBytes(32)))).toContain('another cluster or another challenge');
    expect(await refusal(await evidenceOf(MACHINE, CHALLENGE, 'other.example.com'))).toContain(
      'another cluster or another challenge',
    );
    expect(await refusal(await evidenceOf({ ...MACHINE, project: 'evil' }))).toContain('another project');
  });

  test('proves nothing later, or without what Google says of the machine', async () => {
    const evidence = await evidenceOf(MACHINE);
    const at = (afterMs: number) => createGceEvidenceVerifier({ cluster: CLUSTER, facts }, () => Date.now() + afterMs);
    expect(await at(50_000).verify(evidence, CHALLENGE, signal)).toEqual(PROVEN);
    await expect(at(62_000).verify(evidence, CHALLENGE, signal)).rejects.toThrow(/issued 6\d(\.\d+)? s ago/);
    const audience = `kops-node-authority:${CLUSTER}:${Buffer.from(CHALLENGE).toString('base64url')}`;
    expect(await refusal({ token: google.tokenFor(MACHINE, new URLSearchParams({ audience })) })).toContain(
      'google is not an object',
    );
  });

  test('proves nothing with a signature or a key that is not Google’s', async () => {
    const audience = `kops-node-authority:${CLUSTER}:${Buffer.from(CHALLENGE).toString('base64url')}`;
    const claims = claimsOf(MACHINE, new URLSearchParams({ audience, format: 'full' }));
    const right = google.sign(claims);
    expect(await verifier.verify({ token: right }, CHALLENGE, signal)).toEqual(PROVEN);
    const [header = '', payload = ''] = right.split('.');
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString('utf8'));
    const own = generateKeyPairSync('rsa', { modulusLength: 2048 });

    expect(await refusal({ token: signToken({ alg: 'RS256', kid, typ: 'JWT' }, claims, own.privateKey) })).toContain(
      'signature',
    );
    const brought = { alg: 'RS256', kid, jwk: own.publicKey.export({ format: 'jwk' }), jku: google.url };
    expect(await refusal({ token: signToken(brought, claims, own.privateKey) })).toContain('signature');
    expect(await refusal({ token: signToken({ alg: 'RS256', kid: 'own' }, claims, own.privateKey) })).toContain(
      'no key own',
    );
    const none = Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url');
    expect(await refusal({ token: `${none}.${payload}.` })).toContain('RS256');
    const keys = await (await fetch(google.url)).text();
    const hs256 = Buffer.from(JSON.stringify({ alg: 'HS256', kid })).toString('base64url');
    const mac = createHmac('sha256', keys).update(`${hs256}.${payload}`).digest('base64url');
    expect(await refusal({ token: `${hs256}.${payload}.${mac}` })).toContain('RS256');
  });

  test('made up or altered at random is refused', { timeout: TIMEOUT_MS }, async () => {
    const { token } = (await evidenceOf(MACHINE)) as { token: string };
    // The parts after the header, so that the signature is what refuses them.
    const from = token.indexOf('.') + 1;
    const altered = tuple(nat(token.length - from - 1), nat(62)).map(([at, by]) => {
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.';
      const index = alphabet.indexOf(token.charAt(from + at));
      const other = alphabet.charAt((index + 1 + by) % alphabet.length);
      return { token: `${token.slice(0, from + at)}${other}${token.slice(from + at + 1)}` };
    });
    const values = oneof(
      anything({ withNullPrototype: true }),
      string().map((text) => ({ token: text })),
      string().map((text) => ({ token, [`more ${text}`]: text })),
      altered,
    );
    await assert(
      asyncProperty(values, async (value) => {
        await expect(verifier.verify(value, CHALLENGE, signal)).rejects.toThrow(EvidenceRefused);
      }),
      { numRuns: often(1000, 20_000) },
    );
    expect(google.asked.length).toBeLessThanOrEqual(1);
  });

  test('with made-up keys makes the authority ask Google once in 30 s at most', { timeout: TIMEOUT_MS }, async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    let nowMs = Date.now();
    const patient = createGceEvidenceVerifier({ cluster: CLUSTER, facts }, () => nowMs);
    const flood = () =>
      Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          expect(
            patient.verify({ token: signToken({ alg: 'RS256', kid: `x${index}` }, {}, privateKey) }, CHALLENGE, signal),
          ).rejects.toThrow(EvidenceRefused),
        ),
      );
    await flood();
    nowMs += 29_000;
    await flood();
    expect(google.asked).toHaveLength(1);
    nowMs += 1000;
    await flood();
    expect(google.asked).toHaveLength(2);
  });

  test('is verified with a key of today, and no longer with one that Google has taken back', async () => {
    let nowMs = Date.now();
    const patient = createGceEvidenceVerifier({ cluster: CLUSTER, facts }, () => nowMs);
    const old = await evidenceOf(MACHINE);
    expect(await patient.verify(old, CHALLENGE, signal)).toEqual(PROVEN);
    google.rotate();
    nowMs += 31_000;
    expect(await patient.verify(await evidenceOf(MACHINE), CHALLENGE, signal)).toEqual(PROVEN);
    expect(google.asked).toHaveLength(2);
    google.rotate();
    nowMs += CACHED_SECONDS * 1000;
    await expect(patient.verify(old, CHALLENGE, signal)).rejects.toThrow('Google has no key');
    expect(google.asked).toHaveLength(3);
  });

  test('is neither believed nor refused while Google’s keys cannot be had', { timeout: TIMEOUT_MS }, async () => {
    const evidence = await evidenceOf(MACHINE);
    google.answerBy(503);
    await expect(verifier.verify(evidence, CHALLENGE, signal)).rejects.toMatchObject({
      why: 'it answered 503',
      what: expect.stringContaining('get the keys'),
    });
    google.answerBy(undefined);
    expect(await verifier.verify(evidence, CHALLENGE, signal)).toEqual(PROVEN);
  });

  test('does not exist for a machine without a service account', async () => {
    const server = await serveGceMetadata(metadataOf(MACHINE));
    stops.push(() => server.stop());
    const identity = gceNode.openIdentity?.({ cluster: CLUSTER, env: { GCE_METADATA_HOST: server.url } });
    await expect(identity?.evidence(CHALLENGE, signal)).rejects.toThrow('it has no service account');
  });
});
