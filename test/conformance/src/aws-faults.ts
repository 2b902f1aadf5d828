import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { generator } from './seeded.ts';

/** A proxy for AWS's protocols that injects the faults of AWS on a bad day. */
export interface FaultProxy {
  readonly endpoint: string;
  /** How often each fault happened. */
  readonly faults: Record<Fault, number>;
  stop(): Promise<void>;
}

type Fault = 'throttled' | 'error' | 'lostAnswer' | 'cut' | 'silent' | 'notYetVisible';

/** The share of requests that each fault affects; reads lag for every created resource. */
const RATES: readonly (readonly [fault: Fault, rate: number])[] = [
  ['throttled', 0.05],
  ['error', 0.04],
  ['lostAnswer', 0.04],
  ['cut', 0.04],
];

/** How long a created resource is missing from answers. */
const LAG_MS = 700;

/** The sets in EC2's answers from which new resources are missing at first. */
const SETS: Readonly<Record<string, readonly [set: string, id: string]>> = {
  DescribeVpcs: ['vpcSet', 'vpcId'],
  DescribeSubnets: ['subnetSet', 'subnetId'],
  DescribeInternetGateways: ['internetGatewaySet', 'internetGatewayId'],
  DescribeRouteTables: ['routeTableSet', 'routeTableId'],
  DescribeSecurityGroups: ['securityGroupInfo', 'groupId'],
  DescribeVolumes: ['volumeSet', 'volumeId'],
  DescribeDhcpOptions: ['dhcpOptionsSet', 'dhcpOptionsId'],
  DescribeAddresses: ['addressesSet', 'allocationId'],
  DescribeNatGateways: ['natGatewaySet', 'natGatewayId'],
};

/**
 * Starts a proxy whose faults are the same for the same seed and the same requests.
 *
 * @param silentRequest the number of the one request that gets no answer on a connection that stays open. Clients wait
 * half a minute for it, so there is none by default.
 */
export async function startFaultProxy(target: string, seed: number, silentRequest?: number): Promise<FaultProxy> {
  const random = generator(seed);
  const faults: FaultProxy['faults'] = {
    throttled: 0,
    error: 0,
    lostAnswer: 0,
    cut: 0,
    silent: 0,
    notYetVisible: 0,
  };
  const firstSeenMs = new Map<string, number>();
  let requests = 0;

  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const body = await bodyOf(incoming);
      requests += 1;
      const fault = requests === silentRequest ? 'silent' : pick(random());
      if (fault !== undefined) faults[fault] += 1;
      if (fault === 'silent') return undefined;
      if (fault === 'cut') return outgoing.destroy();
      if (fault === 'throttled') return fail(incoming, outgoing, 'Throttling', 400);
      if (fault === 'error') return fail(incoming, outgoing, 'InternalError', 500);
      const answer = await forward(target, incoming, body);
      if (fault === 'lostAnswer') return outgoing.destroy();
      const action = /(?:^|&)Action=(\w+)/.exec(body.toString())?.[1] ?? '';
      const text = lagging(action, answer.body.toString(), firstSeenMs);
      if (text !== answer.body.toString()) faults.notYetVisible += 1;
      const { 'content-length': _, 'transfer-encoding': __, ...headers } = answer.headers;
      outgoing.writeHead(answer.status, headers).end(text);
    })().catch(() => outgoing.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    faults,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function pick(chance: number): Fault | undefined {
  let sum = 0;
  for (const [fault, rate] of RATES) {
    sum += rate;
    if (chance < sum) return fault;
  }
  return undefined;
}

/** Removes resources that are newer than the lag from an answer. */
function lagging(action: string, text: string, firstSeenMs: Map<string, number>): string {
  const [set, id] = SETS[action] ?? [];
  if (set === undefined || id === undefined) return text;
  const now = Date.now();
  const hidden = [...text.matchAll(new RegExp(`<${id}>([^<]+)</${id}>`, 'g'))].some(([, value = '']) => {
    if (!firstSeenMs.has(value)) firstSeenMs.set(value, now);
    return now - (firstSeenMs.get(value) ?? 0) < LAG_MS;
  });
  return hidden ? text.replace(new RegExp(`<${set}>[\\s\\S]*</${set}>`), `<${set}/>`) : text;
}

function fail(incoming: IncomingMessage, outgoing: ServerResponse, code: string, status: number): void {
  const isJson = (incoming.headers['content-type'] ?? '').includes('json');
  const body = isJson
    ? JSON.stringify({ __type: code, message: 'a bad day' })
    : `<Response><Errors><Error><Code>${code}</Code><Message>a bad day</Message></Error></Errors></Response>`;
  outgoing.writeHead(status, { 'content-type': isJson ? 'application/x-amz-json-1.0' : 'text/xml' }).end(body);
}

async function bodyOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

async function forward(target: string, incoming: IncomingMessage, body: Buffer) {
  const url = new URL(incoming.url ?? '/', target);
  // The signature covers the host.
  const outgoing = request(url, { method: incoming.method ?? 'POST', headers: incoming.headers, agent: false });
  outgoing.end(body);
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: reply.statusCode ?? 500, headers: reply.headers, body: await bodyOf(reply) };
}
