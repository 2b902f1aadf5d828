import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { askAgain, CLOUD_API } from '@kopsctl/http/ask-again.ts';
import { openHttp } from '@kopsctl/http/http.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';
import type { Keys } from './credentials.ts';
import { signedHeaders } from './sign-request.ts';

/** The two calls of AWS's Key Management Service that envelopes need. */
export interface Kms {
  encrypt(plain: Uint8Array, context: EncryptionContext, signal: AbortSignal | undefined): Promise<Uint8Array>;
  /** @throws KmsRefusal for bytes that this key has not encrypted with this context */
  decrypt(encrypted: Uint8Array, context: EncryptionContext, signal: AbortSignal | undefined): Promise<Uint8Array>;
}

/** What is bound to an encryption: it is needed again to decrypt, policies can ask for it, and CloudTrail shows it. */
export type EncryptionContext = Readonly<Record<string, string>>;

/** A call that KMS refused, with its error code. */
export class KmsRefusal extends Error {
  override readonly name = 'KmsRefusal';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message === '' ? code : `${code}: ${message}`);
    this.code = code;
  }
}

export interface KmsOptions {
  /** The ARN of the key. */
  readonly key: string;
  readonly region: string;
  readonly endpoint: string;
  readonly credentials: (signal: AbortSignal | undefined) => Promise<Keys>;
  readonly nowMs: () => number;
}

const ANSWER_WITHIN_MS = 10_000;
/** A data key, wrapped, has about 200 bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** A client for one key of KMS: one signed request per call, for the same reason as the client of EC2 (ec2-query.ts). */
export function openKms({ key, region, endpoint, credentials, nowMs }: KmsOptions): Kms {
  const http = openHttp();

  async function once(call: string, body: string, signal: AbortSignal | undefined): Promise<string> {
    const request = {
      host: new URL(endpoint).host,
      region,
      service: 'kms',
      body,
      contentType: 'application/x-amz-json-1.1',
      headers: { 'x-amz-target': `TrentService.${call}` },
    };
    const headers = signedHeaders(request, await credentials(signal), nowMs());
    const answer = await http.ask(
      { method: 'POST', url: endpoint, headers, body, withinMs: ANSWER_WITHIN_MS, maxBytes: MAX_ANSWER_BYTES },
      signal,
    );
    if (answer.status === 200) return answer.body;
    throw refusalOf(answer.status, answer.body);
  }

  async function call(
    name: 'Encrypt' | 'Decrypt',
    input: Readonly<Record<string, unknown>>,
    result: 'CiphertextBlob' | 'Plaintext',
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array> {
    const body = JSON.stringify({ KeyId: key, ...input });
    const isPassing = (thrown: unknown): boolean => !(thrown instanceof KmsRefusal) || passes(thrown.code);
    const explain = (thrown: unknown): unknown => (isPassing(thrown) ? unanswered(endpoint, thrown) : thrown);
    const answer = await askAgain(() => once(name, body, signal), { pace: CLOUD_API, isPassing, explain }, signal);
    return bytesIn(answer, result);
  }

  return {
    encrypt: (plain, context, signal) =>
      call('Encrypt', { Plaintext: base64(plain), EncryptionContext: context }, 'CiphertextBlob', signal),
    decrypt: (encrypted, context, signal) =>
      call('Decrypt', { CiphertextBlob: base64(encrypted), EncryptionContext: context }, 'Plaintext', signal),
  };
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** The answer is not quoted: it may hold a data key. */
function bytesIn(answer: string, name: string): Uint8Array {
  const value = fieldsOf(answer)[name];
  if (typeof value === 'string' && value !== '') return Buffer.from(value, 'base64');
  throw new KmsRefusal('InvalidAnswer', `it has no ${name}`);
}

function refusalOf(status: number, body: string): KmsRefusal {
  const fields = fieldsOf(body);
  const type = fields['__type'];
  // Some services have a namespace before the code: com.amazonaws.kms#NotFoundException.
  const code = typeof type === 'string' ? (type.split('#').at(-1) ?? type) : `Http${status}`;
  const message = fields['message'] ?? fields['Message'];
  return new KmsRefusal(code.slice(0, 100), typeof message === 'string' ? message.slice(0, 300) : '');
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return asRecord(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Throttled, or a fault of the service (KMS API reference, "Common errors"). */
const passes = (code: string): boolean =>
  /^(ThrottlingException|LimitExceededException|DependencyTimeoutException|KMSInternalException|KeyUnavailableException|ServiceUnavailable|InternalFailure|Http(429|5\d\d))$/.test(
    code,
  );

const unanswered = (endpoint: string, cause: unknown): ActionableError =>
  new ActionableError({
    what: 'ask AWS KMS',
    why: `${endpoint} did not answer ${CLOUD_API.retries + 1} times: ${messageOf(cause)}`,
    next: 'check the connection; machines need a NAT gateway, or a VPC endpoint for KMS',
    cause,
  });
