import { writeSync } from 'node:fs';
import { openGossip, type Gossip } from '../open-gossip.ts';
import type { DnsName } from '../records/record.ts';
import type { Versions } from '../wire/message.ts';

/** What a peer in a process of its own is told. */
export type PeerCommand =
  /** Without seeds it stays alone until it is told to join. */
  | { readonly kind: 'open'; readonly seeds?: readonly string[]; readonly versions?: Versions }
  | { readonly kind: 'join'; readonly seeds: readonly string[] }
  | { readonly kind: 'publish'; readonly names: readonly DnsName[] }
  | { readonly kind: 'leave' };

/** What it tells: that it runs, that it is open, and after each change all it knows. */
export type PeerReport =
  | { readonly kind: 'ready' | 'open' }
  | { readonly kind: 'join' | 'fail' | 'leave'; readonly about: string }
  | { readonly kind: 'members'; readonly members: readonly string[] }
  | { readonly kind: 'records'; readonly records: readonly string[] };

/**
 * A real peer as a process of its own, to be forked by tests and measurements:
 * `peer-process.ts <name> <address> <key in base64> [log]`. With `log` it tells of members by the lines that an agent
 * logs, on standard output, and in no other way: as little work as an agent has with it.
 */
const [name = '', bindAddress = '', key = '', mode] = process.argv.slice(2);
const isLogging = mode === 'log';
const PORT = 7946;
/** Who all the members are is told once things have settled. */
const QUIET_MS = 200;
let gossip: Gossip | undefined;
const joining = Promise.withResolvers<readonly string[]>();
let membersTimer: NodeJS.Timeout | undefined;

process.on('message', (command: PeerCommand) => void obey(command));
process.on('disconnect', () => process.exit());
report({ kind: 'ready' });

async function obey(command: PeerCommand): Promise<void> {
  switch (command.kind) {
    case 'open':
      gossip = await open(command);
      report({ kind: 'open' });
      break;
    case 'join':
      joining.resolve(command.seeds);
      break;
    case 'publish':
      gossip?.publish(command.names);
      break;
    case 'leave':
      await gossip?.leave();
      process.exit();
  }
}

async function open({ seeds, versions }: PeerCommand & { readonly kind: 'open' }): Promise<Gossip> {
  const opened = await openGossip({
    name,
    bindAddress,
    keys: [Buffer.from(key, 'base64')],
    seeds: async () => (seeds ?? (await joining.promise)).map((address) => ({ address, port: PORT })),
    log: {
      info: (line) => void (isLogging && writeSync(1, `${line}\n`)),
      warn: (line) => void process.stderr.write(`${name}: ${line}\n`),
    },
    ...(versions === undefined ? {} : { versions }),
  });
  opened.subscribe((event) => {
    switch (event.kind) {
      case 'join':
      case 'fail':
      case 'leave':
        if (isLogging) break;
        report({ kind: event.kind, about: event.member.name });
        clearTimeout(membersTimer);
        membersTimer = setTimeout(() => {
          report({ kind: 'members', members: opened.members().map((member) => member.name) });
        }, QUIET_MS);
        break;
      case 'records':
        report({ kind: 'records', records: opened.records().map((record) => record.owner) });
        break;
      default:
        break;
    }
  });
  return opened;
}

function report(what: PeerReport): void {
  process.send?.(what);
}
