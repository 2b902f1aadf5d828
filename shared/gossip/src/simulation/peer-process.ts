import { logLine } from '@kopsctl/agent/log-line.ts';
import { writeSync } from 'node:fs';
import type { Gossip } from '../gossip.ts';
import { openGossip } from '../open-gossip.ts';
import type { DnsName } from '../records/record.ts';
import type { Versions } from '../wire/message.ts';

/** A command for a peer in a process of its own. */
export type PeerCommand =
  /** Without seeds the peer stays alone until a `join` command. */
  | { readonly kind: 'open'; readonly seeds?: readonly string[]; readonly versions?: Versions }
  | { readonly kind: 'join'; readonly seeds: readonly string[] }
  | { readonly kind: 'publish'; readonly names: readonly DnsName[] }
  | { readonly kind: 'leave' };

/** A report of the peer: the process is ready, the peer is open, or members or records have changed. */
export type PeerReport =
  | { readonly kind: 'ready' | 'open' }
  | { readonly kind: 'join' | 'fail' | 'leave'; readonly about: string }
  | { readonly kind: 'members'; readonly members: readonly string[] }
  | { readonly kind: 'records'; readonly records: readonly string[] };

/**
 * A real peer in a process of its own, forked by tests and benchmarks: `peer-process.ts <name> <address> <key in
 * base64> [log]`. With `log` it reports members only by the log lines of an agent, on standard output, which costs as
 * little as in an agent.
 */
const [name = '', bindAddress = '', key = '', mode] = process.argv.slice(2);
const isLogging = mode === 'log';
const PORT = 7946;
/** The list of members is reported after this time without changes. */
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
      info: (message, fields = {}) =>
        void (isLogging && writeSync(1, `${logLine({ subject: name, message, fields })}\n`)),
      warn: (message, fields = {}) => void process.stderr.write(`${logLine({ subject: name, message, fields })}\n`),
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
