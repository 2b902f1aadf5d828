import { fork, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { encode } from '@msgpack/msgpack';
import type { PeerCommand, PeerReport } from '@kopsctl/gossip/simulation/peer-process.ts';
import { bundleProcess } from './bundle-process.ts';
import { median } from './median.ts';
import { kill, processorSeconds, residentMiB } from './child-process.ts';
import { providePeer } from '@kopsctl/test-peers/provide.ts';

/**
 * Compares real serf agents with our peers, each in its own process, with the same (LAN) settings, in turns: the time
 * until all members know of all that join at once, of one more, and of a killed one; for our peers also of a record. An
 * agent joins after it has started. Prints a Markdown table with median, minimum and maximum. `node
 * test/bench/src/gossip-serf.ts [--rounds 5] [agents ...]`
 */
const KEY = randomBytes(32).toString('base64');
const PEER = fileURLToPath(import.meta.resolve('@kopsctl/gossip/simulation/peer-process.ts'));
const SETTLE_MS = 4000;
/** The flags of the agents' binary and the settings that protokube makes itself. */
const AGENT_FLAGS = ['--max-semi-space-size=1', '--no-turbofan', '--no-maglev'];
const { values: flags, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const sizes = positionals.length > 0 ? positionals.map(Number) : [5, 20, 50];
const rounds = Number(flags.rounds);

/** A running agent that has not joined. */
interface Agent {
  readonly name: string;
  readonly child: ChildProcess;
  join(seed: string): void;
}

/** One kind of agents. */
interface Kind {
  readonly title: string;
  start(
    name: string,
    address: string,
    heard: (what: 'join' | 'fail' | 'records', about: string) => void,
  ): Promise<Agent>;
}

const { root } = await providePeer('serf');

const serf: Kind = {
  title: 'serf 0.9.4',
  async start(name, address, heard) {
    const flags = [`-node=${name}`, `-bind=${address}:7946`, `-rpc-addr=${address}:7373`, `-encrypt=${KEY}`];
    const child = spawn(join(root, 'usr/bin/serf'), ['agent', '-profile=lan', ...flags], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const lines = createInterface({ input: child.stdout });
    const isUp = new Promise<void>((resolve) => {
      lines.on('line', (line) => {
        if (line.includes('Serf agent starting')) resolve();
        const event = /EventMember(Join|Failed): (\S+)/.exec(line);
        if (event !== null) heard(event[1] === 'Join' ? 'join' : 'fail', event[2] ?? '');
      });
    });
    await isUp;
    return {
      name,
      child,
      join(seed) {
        // https://www.serf.io/docs/agent/rpc.html: a header and a body for each command.
        const rpc = createConnection({ host: address, port: 7373 });
        rpc.resume();
        rpc.write(encode({ Command: 'handshake', Seq: 0 }));
        rpc.write(encode({ Version: 1 }));
        rpc.write(encode({ Command: 'join', Seq: 1 }));
        rpc.write(encode({ Existing: [`${seed}:7946`], Replay: false }));
      },
    };
  },
};

const ours: Kind = {
  title: 'ours',
  async start(name, address, heard) {
    const child = fork(peer, [name, address, KEY, 'log'], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      execArgv: AGENT_FLAGS,
    });
    if (child.stdout === null) throw new Error('the process was started without a pipe');
    createInterface({ input: child.stdout }).on('line', (line) => {
      const event = /: member (joined|failed) member=(\S+) /.exec(line);
      if (event !== null) heard(event[1] === 'joined' ? 'join' : 'fail', event[2] ?? '');
    });
    await once(child, 'message');
    tell(child, { kind: 'open' });
    await once(child, 'message');
    child.on('message', (report: PeerReport) => {
      if (report.kind === 'records') heard('records', `${report.records.length}`);
    });
    return { name, child, join: (seed) => tell(child, { kind: 'join', seeds: [seed] }) };
  },
};

const folder = await mkdtemp(join(tmpdir(), 'kopsctl-bench-'));
const peer = await bundleProcess(PEER, folder);
process.stdout.write(
  '| agents | kind | all join at once ms | one more ms | killed: known to all ms | record known to all ms | CPU of one, % | MiB of one |\n|---|---|---|---|---|---|---|---|\n',
);
let subnets = 0;
try {
  for (const agents of sizes) process.stdout.write(await rowsOf(agents));
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Both kinds take turns, so that other load on the machine affects both. */
async function rowsOf(agents: number): Promise<string> {
  const figures = new Map<Kind, Figures[]>([serf, ours].map((kind) => [kind, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [kind, of] of figures) {
      const found = await run(kind, agents);
      of.push(found);
      process.stderr.write(`${agents} ${kind.title}: ${JSON.stringify(found)}, load ${loadavg()[0]?.toFixed(1)}\n`);
    }
  }
  return [...figures].map(([kind, of]) => `| ${agents} | ${kind.title} | ${cells(of).join(' | ')} |\n`).join('');
}

interface Figures {
  readonly joinedMs: number;
  readonly oneMoreMs: number;
  readonly failedMs: number;
  readonly recordMs: number | undefined;
  readonly percent: number;
  readonly mebibytes: number;
}

function cells(of: readonly Figures[]): readonly string[] {
  const cell = (values: readonly (number | undefined)[], digits: number): string => {
    const known = values.filter((value) => value !== undefined);
    if (known.length === 0) return '–';
    const [middle, least, most] = [median(known), Math.min(...known), Math.max(...known)];
    return `${middle.toFixed(digits)} (${least.toFixed(digits)}–${most.toFixed(digits)})`;
  };
  const column = (name: keyof Figures, digits = 0): string =>
    cell(
      of.map((figures) => figures[name]),
      digits,
    );
  return [
    column('joinedMs'),
    column('oneMoreMs'),
    column('failedMs'),
    column('recordMs'),
    column('percent', 1),
    column('mebibytes'),
  ];
}

async function run(kind: Kind, count: number): Promise<Figures> {
  const subnet = `127.77.${(subnets += 1)}`;
  const heard = new Map<string, Set<string>>();
  const all: Agent[] = [];
  const start = async (index: number): Promise<Agent> => {
    const name = `a${index}`;
    const agent = await kind.start(name, `${subnet}.${index + 1}`, (what, about) => {
      const by = heard.get(`${what} ${about}`) ?? new Set();
      heard.set(`${what} ${about}`, by.add(name));
    });
    all.push(agent);
    return agent;
  };
  /** The time until all agents have received the news. */
  const untilHeard = async (what: string, by: number, fromMs: number): Promise<number> => {
    while ((heard.get(what)?.size ?? 0) < by) await new Promise((resolve) => setTimeout(resolve, 1));
    return performance.now() - fromMs;
  };
  // A serf agent also reports itself, our peer does not, so these reports are not counted.
  const othersHeard = (name: string): void => void heard.get(`join ${name}`)?.delete(name);
  try {
    const agents = await Promise.all(Array.from({ length: count }, (_, index) => start(index)));
    const [first] = agents;
    if (first === undefined) throw new Error('at least one agent is needed');
    for (const { name } of agents) othersHeard(name);
    let fromMs = performance.now();
    for (const agent of agents.slice(1)) agent.join(`${subnet}.1`);
    const joined = Math.max(
      ...(await Promise.all(agents.map(({ name }) => untilHeard(`join ${name}`, count - 1, fromMs)))),
    );
    await settle();

    const more = await start(count);
    othersHeard(more.name);
    fromMs = performance.now();
    more.join(`${subnet}.1`);
    const oneMore = await untilHeard(`join ${more.name}`, count, fromMs);
    await settle();

    const use = await usage(first.child, SETTLE_MS);
    more.child.kill('SIGKILL');
    fromMs = performance.now();
    const failed = await untilHeard(`fail ${more.name}`, count, fromMs);

    let record: number | undefined;
    if (kind === ours) {
      await settle();
      fromMs = performance.now();
      tell(first.child, { kind: 'publish', names: [{ name: 'api.internal', type: 'A', addresses: ['10.0.0.1'] }] });
      record = await untilHeard('records 1', count, fromMs);
    }
    const ms = { joinedMs: joined, oneMoreMs: oneMore, failedMs: failed, recordMs: record };
    return { ...ms, ...use };
  } finally {
    await Promise.all(all.map(({ child }) => kill(child)));
  }
}

function tell(child: ChildProcess, command: PeerCommand): void {
  child.send(command);
}

function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}

async function usage(child: ChildProcess, ms: number): Promise<{ percent: number; mebibytes: number }> {
  const before = await processorSeconds(child);
  await new Promise((resolve) => setTimeout(resolve, ms));
  const percent = (((await processorSeconds(child)) - before) * 100_000) / ms;
  return { percent, mebibytes: await residentMiB(child) };
}
