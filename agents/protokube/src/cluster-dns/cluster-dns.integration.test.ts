import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { Resolver } from 'node:dns/promises';
import packet from 'dns-packet';
import { assert, property, uint8Array } from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NamedService } from './cluster-names.ts';
import { failure, reply } from './reply.ts';
import { serveDns } from './serve.ts';

const service = (name: string, changes: Partial<NamedService> = {}): NamedService => ({
  namespace: 'default',
  name,
  clusterAddresses: ['100.64.0.5'],
  publishesNotReady: false,
  ports: [{ name: 'http', protocol: 'tcp', port: 80 }],
  ...changes,
});
const many = Array.from({ length: 200 }, (_, index) => ({ address: `10.0.${index}.1`, isReady: true }));
const names = {
  domain: 'cluster.local',
  services: new Map([
    ['default/web', service('web')],
    ['default/db', service('db', { clusterAddresses: [] })],
  ]),
  endpoints: new Map([['default/db', { namespace: 'default', name: 'db', subsets: [{ addresses: many, ports: [] }] }]]),
};
const answer = async (request: Buffer, transport: 'udp' | 'tcp'): Promise<Buffer | undefined> => {
  const said = reply(request, names, transport, () => 0);
  if (said === 'drop') return undefined;
  return said === 'forward' ? failure(request) : said.bytes;
};

let ended: AbortController;
let serving: Promise<void>;
/** Each test has an address of its own, so the port is free. */
const PORT = 10_053;
let tests = 0;
let address = '';

beforeEach(async () => {
  tests += 1;
  address = `127.77.${process.pid % 250}.${tests}`;
  ended = new AbortController();
  const listening = Promise.withResolvers<void>();
  serving = serveDns({ address, port: PORT, answer, onListening: listening.resolve }, ended.signal);
  await Promise.race([listening.promise, serving]);
});
afterEach(async () => {
  ended.abort();
  await serving.catch(() => undefined);
});

const resolver = () => {
  const one = new Resolver({ timeout: 2000, tries: 3 });
  one.setServers([`${address}:${PORT}`]);
  return one;
};

test('the resolver of Node.js understands the answers', async () => {
  expect(await resolver().resolve4('web.default.svc.cluster.local')).toEqual(['100.64.0.5']);
  expect(await resolver().resolveSrv('_http._tcp.web.default.svc.cluster.local')).toMatchObject([
    { name: 'web.default.svc.cluster.local', port: 80, priority: 0, weight: 100 },
  ]);
  expect(await resolver().reverse('100.64.0.5')).toEqual(['web.default.svc.cluster.local']);
  await expect(resolver().resolve4('nowhere.default.svc.cluster.local')).rejects.toThrow('ENOTFOUND');
  await expect(resolver().resolve6('web.default.svc.cluster.local')).rejects.toThrow('ENODATA');
  await expect(resolver().resolve4('example.com')).rejects.toThrow('ESERVFAIL');
});

test('an answer that is too large for UDP is sent by TCP', async () => {
  expect(await resolver().resolve4('db.default.svc.cluster.local')).toHaveLength(200);
});

test('several requests on one connection are answered in their order', async () => {
  const socket = connect(PORT, address);
  const ask = (id: number, name: string) =>
    packet.streamEncode({ type: 'query', id, questions: [{ type: 'A', name }] });
  socket.write(Buffer.concat([ask(1, 'db.default.svc.cluster.local'), ask(2, 'web.default.svc.cluster.local')]));
  let bytes = Buffer.alloc(0);
  const ids: number[] = [];
  for await (const chunk of socket) {
    bytes = Buffer.concat([bytes, chunk as Buffer]);
    while (bytes.byteLength >= 2 && bytes.byteLength >= 2 + bytes.readUInt16BE()) {
      ids.push(packet.streamDecode(bytes).id ?? 0);
      bytes = bytes.subarray(2 + bytes.readUInt16BE());
    }
    if (ids.length === 2) break;
  }
  expect(ids).toEqual([1, 2]);
});

test('no bytes make it fail or stop answering', async () => {
  assert(
    property(uint8Array({ maxLength: 600 }), (bytes) => {
      const said = reply(Buffer.from(bytes), names, 'udp', () => 0.5);
      expect(said === 'drop' || said === 'forward' || said.bytes.byteLength <= 1232).toBe(true);
    }),
  );
  const noise = createSocket('udp4');
  for (let length = 0; length < 64; length += 1) noise.send(Buffer.alloc(length, length), PORT, address);
  expect(await resolver().resolve4('web.default.svc.cluster.local')).toEqual(['100.64.0.5']);
  noise.close();
});
