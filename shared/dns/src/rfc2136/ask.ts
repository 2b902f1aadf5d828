import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { explainRefusal } from './explain-answer.ts';
import { decodeMessage, encodeMessage, type Message, type ReceivedMessage } from './message.ts';
import type { Accept, DnsTransport, NameServer } from './transport.ts';
import { AnswerVerifier, signRequest } from './tsig.ts';
import type { TsigKey } from './tsig-key.ts';

export interface AskEnv {
  readonly transport: DnsTransport;
  nowMs(): number;
  /** Returns 16 unpredictable bits. */
  randomId(): number;
}

export interface Question {
  readonly server: NameServer;
  readonly key: TsigKey;
  readonly zoneName: string;
  /** Completes the sentence "cannot …". */
  readonly what: string;
  readonly message: Omit<Message, 'id'>;
  /** The response codes that the caller handles. All others except NOERROR are thrown. */
  readonly expectedCodes: readonly number[];
  /** Handles one authentic message of the answer; returns true after the last one. */
  readonly take: (answer: ReceivedMessage) => boolean;
  readonly needsTcp?: boolean;
}

/** The largest message that every server accepts by UDP (RFC 1035 §4.2.1). */
const MAX_UDP_BYTES = 512;

/** A lost packet is not sent again by UDP: the second attempt uses TCP, which retransmits. */
const UDP_TIMEOUT_MS = 2_000;
const TCP_TIMEOUT_MS = 10_000;

/** Sends a question by UDP, or by TCP if it is large or UDP fails. */
export async function ask(question: Question, env: AskEnv): Promise<void> {
  const { server, what } = question;
  try {
    if (question.needsTcp !== true && (await askByUdp(question, env)) === 'answered') return;
    const { signed, accept } = prepare(question, env, 'tcp');
    await env.transport.tcp(server, signed, accept, TCP_TIMEOUT_MS);
  } catch (thrown) {
    if (thrown instanceof ActionableError) throw thrown;
    const where = `${server.host} port ${server.port}`;
    const next = `check that a name server answers there: \`dig @${server.host} -p ${server.port} ${question.zoneName} SOA\``;
    throw new ActionableError({ what, why: `the name server ${where}: ${messageOf(thrown)}`, next, cause: thrown });
  }
}

async function askByUdp(question: Question, env: AskEnv): Promise<'answered' | 'by TCP'> {
  const { signed, accept } = prepare(question, env, 'udp');
  if (signed.length > MAX_UDP_BYTES) return 'by TCP';
  try {
    await env.transport.udp(question.server, signed, accept, UDP_TIMEOUT_MS);
    return 'answered';
  } catch (thrown) {
    // The answer of the server is final. Other failures may be limited to UDP.
    if (thrown instanceof ActionableError) throw thrown;
    return 'by TCP';
  }
}

/** Signs the request, and returns it with the function that checks the answers. */
function prepare(question: Question, env: AskEnv, way: 'udp' | 'tcp'): { signed: Buffer; accept: Accept } {
  const { key, expectedCodes, take } = question;
  const id = env.randomId();
  const { signed, mac } = signRequest(encodeMessage({ ...question.message, id }), key, env.nowMs() / 1000);
  const verifier = new AnswerVerifier(key, mac);
  const accept: Accept = (bytes) => {
    const answer = decodeOrIgnore(bytes, way);
    if (answer === undefined || !answer.isResponse || answer.id !== id) return false;
    const nowSeconds = env.nowMs() / 1000;
    const isRefusal = answer.rcode !== 0 && !expectedCodes.includes(answer.rcode);
    // An error is accepted without a signature, because a server without our key cannot sign (RFC 8945 §5.2).
    if (isRefusal) throw explainRefusal(answer, { ...question, nowSeconds });
    const verdict = verifier.check(answer, nowSeconds);
    if (verdict.is === 'forged') {
      // Anyone can send a UDP packet; the authentic answer may still arrive.
      if (way === 'udp') return false;
      throw new Error(`its answer is not authentic: ${verdict.why}`);
    }
    if (answer.isTruncated && way === 'udp') throw new Error('its UDP answer is truncated');
    const isLast = take(answer);
    if (isLast && verdict.is === 'unsigned') throw new Error('the end of its answer is not signed');
    return isLast;
  };
  return { signed, accept };
}

function decodeOrIgnore(bytes: Buffer, way: 'udp' | 'tcp'): ReceivedMessage | undefined {
  try {
    return decodeMessage(bytes);
  } catch (thrown) {
    if (way === 'udp') return undefined;
    throw thrown;
  }
}
