import packet, { type Answer, type DecodedPacket, type Packet } from 'dns-packet';
import { answer, type ClusterNames, type ClusterRecord } from './answer.ts';

/** Services come and go, so answers must not be cached for long. This is CoreDNS's default. */
const TTL_SECONDS = 5;
/** RFC 1035 §4.2.1: the limit by UDP, unless the request allows more (RFC 6891 §6.2.3). */
const PLAIN_UDP_BYTES = 512;
/** The largest packet that is not fragmented on any path (dnsflagday.net/2020). */
const EDNS_UDP_BYTES = 1232;

const RCODE = { noError: 0, formatError: 1, serverFailure: 2, noSuchName: 3, notImplemented: 4 } as const;

/** What to do with a request: answer it, forward it, or drop bytes that are not a request. */
export type Reply = { readonly bytes: Buffer } | 'forward' | 'drop';

/** Answers a request about names of the cluster. Never throws, whatever the bytes are. */
export function reply(request: Buffer, names: ClusterNames, transport: 'udp' | 'tcp', random: () => number): Reply {
  const asked = decoded(request);
  if (asked === undefined || asked.type !== 'query') return 'drop';
  const limit = transport === 'tcp' ? Infinity : udpLimit(asked);
  if (opcodeOf(asked) !== 0) return { bytes: encoded(asked, RCODE.notImplemented, {}, limit) };
  const [question, ...more] = asked.questions ?? [];
  if (question === undefined || more.length > 0) return { bytes: encoded(asked, RCODE.formatError, {}, limit) };
  if ((question.class ?? 'IN') !== 'IN') return 'forward';
  const found = answer(question, names);
  if (found === undefined) return 'forward';
  const authorities = [startOfAuthority(names.domain)];
  if (!found.exists) return { bytes: encoded(asked, RCODE.noSuchName, { authorities }, limit) };
  const answers = rotated(found.records.map(printed), random);
  const additionals = found.additional.map(printed);
  const parts = answers.length === 0 ? { authorities } : { answers, additionals };
  return { bytes: encoded(asked, RCODE.noError, parts, limit) };
}

/** The answer SERVFAIL, for a request that no name server answered. */
export function failure(request: Buffer): Buffer | undefined {
  const asked = decoded(request);
  return asked && encoded(asked, RCODE.serverFailure, {}, PLAIN_UDP_BYTES);
}

function decoded(bytes: Buffer): DecodedPacket | undefined {
  try {
    return packet.decode(bytes);
  } catch {
    // Bytes that are not a DNS message get no answer: the sender's address may be forged.
    return undefined;
  }
}

function encoded(asked: DecodedPacket, rcode: number, parts: Partial<Packet>, limit: number): Buffer {
  const desired = (asked.flags ?? 0) & packet.RECURSION_DESIRED;
  const flags = packet.AUTHORITATIVE_ANSWER | packet.RECURSION_AVAILABLE | desired | rcode;
  const message: Packet = { type: 'response', flags, questions: asked.questions ?? [], ...parts };
  if (asked.id !== undefined) message.id = asked.id;
  const options = optionsOf(asked) === undefined ? [] : [OPTIONS];
  const whole = packet.encode({ ...message, additionals: [...(parts.additionals ?? []), ...options] });
  if (whole.byteLength <= limit) return whole;
  // The client asks again by TCP (RFC 2181 §9).
  return packet.encode({
    ...message,
    flags: flags | packet.TRUNCATED_RESPONSE,
    answers: [],
    authorities: [],
    additionals: options,
  });
}

const OPTIONS: Answer = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: EDNS_UDP_BYTES,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};

/** RFC 1035 §4.1.1: opcode 0 is a standard query. */
const opcodeOf = ({ flags = 0 }: DecodedPacket): number => (flags >> 11) & 0xf;

const optionsOf = (asked: DecodedPacket) => (asked.additionals ?? []).find((one) => one.type === 'OPT');

function udpLimit(asked: DecodedPacket): number {
  const options = optionsOf(asked);
  const wished = options?.type === 'OPT' ? options.udpPayloadSize : PLAIN_UDP_BYTES;
  return Math.min(EDNS_UDP_BYTES, Math.max(PLAIN_UDP_BYTES, wished));
}

/** The time to live is short: a name that does not exist now may exist in a second. */
const startOfAuthority = (domain: string): Answer => ({
  type: 'SOA',
  name: domain,
  ttl: TTL_SECONDS,
  data: {
    mname: `ns.dns.${domain}`,
    rname: `hostmaster.${domain}`,
    serial: 1,
    refresh: 7200,
    retry: 1800,
    expire: 86_400,
    minimum: TTL_SECONDS,
  },
});

function printed(record: ClusterRecord): Answer {
  const common = { name: record.name, ttl: TTL_SECONDS };
  if (record.type === 'SRV') {
    return { ...common, type: 'SRV', data: { priority: 0, weight: 100, port: record.port, target: record.target } };
  }
  return { ...common, type: record.type, data: record.data };
}

/** Most clients use the first record, so each answer starts with another one. */
function rotated<T>(items: readonly T[], random: () => number): T[] {
  const from = Math.floor(random() * items.length);
  return [...items.slice(from), ...items.slice(0, from)];
}
