import { openGossip } from '@kopsctl/gossip/open-gossip.ts';

/** One peer as a process of its own, for gossip-serf.ts: told where to join, it tells whom it sees come and fail. */
const [name = '', bindAddress = '', keyText = ''] = process.argv.slice(2);
const silent = { info: () => undefined, warn: () => undefined };

process.on('message', (seed: string) => void start(seed));
process.on('disconnect', () => process.exit());
process.send?.({ kind: 'ready' });

async function start(seed: string): Promise<void> {
  const gossip = await openGossip({
    name,
    bindAddress,
    keys: [Buffer.from(keyText, 'base64')],
    seeds: async () => (seed === '' ? [] : [{ address: seed, port: 7946 }]),
    log: silent,
  });
  gossip.subscribe((event) => {
    if (event.kind === 'join' || event.kind === 'fail') process.send?.({ kind: event.kind, about: event.member.name });
    if (event.kind === 'records') process.send?.({ kind: 'records', about: `${gossip.records().length}` });
  });
  process.on('message', () => {
    gossip.publish([{ name: 'api.internal', type: 'A', addresses: [bindAddress] }]);
  });
  process.send?.({ kind: 'open' });
}
