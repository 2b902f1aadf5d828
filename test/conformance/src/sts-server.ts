import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyOf, serve, type TestServer } from './serve-test-server.ts';

/** Temporary keys that a server knows, and whose they are. */
export interface Session {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly arn: string;
  readonly account: string;
}

export interface StsServer extends TestServer {
  /** The requests, with the names of their headers as they were sent. */
  readonly received: readonly ReceivedRequest[];
  /** Sends the next answers instead of STS, which would have answered `right`. */
  answerBy(answerer: ((answer: ServerResponse, right: string) => unknown) | undefined): void;
  forget(): void;
}

export interface ReceivedRequest {
  readonly request: string;
  readonly headerNames: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const callerAnswer = (inside: string): string =>
  `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>${inside}</GetCallerIdentityResult><ResponseMetadata><RequestId>0</RequestId></ResponseMetadata></GetCallerIdentityResponse>`;

export const callerFields = ({ arn, account }: Pick<Session, 'arn' | 'account'>): string =>
  `<Arn>${arn}</Arn><UserId>AROAEXAMPLE:session</UserId><Account>${account}</Account>`;

/**
 * STS for one call, that can be told to lie. It believes what is signed of a request: the signature is computed from the
 * bytes received, by AWS's description of Signature Version 4 and not by code of ours.
 */
export async function serveSts(sessions: readonly Session[]): Promise<StsServer> {
  const received: ReceivedRequest[] = [];
  let answerer: ((answer: ServerResponse, right: string) => unknown) | undefined;
  const server = await serve(async (asked, answer) => {
    const request = await receive(asked);
    received.push(request);
    const session = callerOf(request, sessions);
    const isAsked = new URLSearchParams(request.body).get('Action') === 'GetCallerIdentity';
    if (session === undefined || !isAsked) {
      return answer
        .writeHead(403, { 'content-type': 'text/xml' })
        .end('<ErrorResponse><Error><Code>SignatureDoesNotMatch</Code><Message>-</Message></Error></ErrorResponse>');
    }
    const right = callerAnswer(callerFields(session));
    if (answerer !== undefined) return answerer(answer, right);
    return answer.writeHead(200, { 'content-type': 'text/xml' }).end(right);
  });
  return {
    ...server,
    received,
    answerBy: (next) => void (answerer = next),
    forget: () => void received.splice(0),
  };
}

async function receive(asked: IncomingMessage): Promise<ReceivedRequest> {
  const headerNames = asked.rawHeaders.filter((_, index) => index % 2 === 0);
  const pairs = headerNames.map((name, index) => [name.toLowerCase(), asked.rawHeaders[index * 2 + 1] ?? ''] as const);
  return {
    request: `${asked.method} ${asked.url}`,
    headerNames,
    headers: Object.fromEntries(pairs),
    body: await bodyOf(asked),
  };
}

/** The session whose secret made the signature (AWS, "Create a signed AWS API request"). */
function callerOf({ request, headers, body }: ReceivedRequest, sessions: readonly Session[]): Session | undefined {
  const [, id, scope, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/([^,]+), SignedHeaders=([^,]+), Signature=(.+)$/.exec(
      headers['authorization'] ?? '',
    ) ?? [];
  const session = sessions.find(({ accessKeyId }) => accessKeyId === id);
  if (session === undefined || scope === undefined || names === undefined) return undefined;
  if (headers['x-amz-security-token'] !== session.sessionToken) return undefined;
  const date = headers['x-amz-date'] ?? '';
  const [day = '', region = '', service = '', end = ''] = scope.split('/');
  if (!names.split(';').includes('host') || service !== 'sts' || !date.startsWith(day)) return undefined;
  const [method = '', path = ''] = request.split(' ');
  let text = `${method}\n${path}\n\n`;
  for (const name of names.split(';')) text += `${name}:${(headers[name] ?? '').trim().replaceAll(/ +/g, ' ')}\n`;
  text += `\n${names}\n${createHash('sha256').update(body).digest('hex')}`;
  const digest = createHash('sha256').update(text).digest('hex');
  const dayKey = createHmac('sha256', `AWS4${session.secretAccessKey}`).update(day).digest();
  const regionKey = createHmac('sha256', dayKey).update(region).digest();
  const serviceKey = createHmac('sha256', regionKey).update(service).digest();
  const key = createHmac('sha256', serviceKey).update(end).digest();
  const right = createHmac('sha256', key).update(`AWS4-HMAC-SHA256\n${date}\n${scope}\n${digest}`).digest('hex');
  return right === signature ? session : undefined;
}
