import { fork, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { encode } from '@msgpack/msgpack';
import type { PeerCommand, PeerReport } from '@kopsctl/gossip/simulation/peer-process.ts';
import { unpackDebianPackages } from '../../conformance/src/debian-packages.ts';

/**
 * Real serf agents and ours side by side, each a process of its own, with the same (LAN) settings in the same run: how
 * long until all know of all who join at once, of one more, of one that was killed; for ours also of a record. Prints a
 * Markdown table. `node test/bench/src/gossip-serf.ts [agents ...]`
 */
const KEY = randomBytes(32).toString('base64');
const PEER = fileURLToPath(import.meta.resolve('@kopsctl/gossip/simulation/peer-process.ts'));
const SETTLE_MS = 5000;
const sizes = process.argv.slice(2).map(Number);

/** An agent that is up but alone. */
interface Agent {
  readonly name: string;
  readonly child: ChildProcess;
  join(seed: string): void;
}

/** A kind of agents. */
interface Kind {
  readonly title: string;
  start(
    name: string,
    address: string,
    heard: (what: 'join' | 'fail' | 'records', about: string) => void,
  ): Promise<Agent>;
}

const { root } = await unpackDebianPackages({
  suite: 'bookworm',
  packages: ['serf'],
  cacheFolder: '/var/cache/kopsctl/test-peers',
});

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
    const child = fork(PEER, [name, address, KEY], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await once(child, 'message');
    child.on('message', (report: PeerReport) => {
      if (report.kind === 'join' || report.kind === 'fail') heard(report.kind, report.about);
      if (report.kind === 'records') heard('records', `${report.records.length}`);
    });
    return { name, child, join: (seed) => tell(child, { kind: 'open', seeds: [seed] }) };
  },
};

process.stdout.write(
  '| agents | kind | all join at once ms | one more ms | killed: known to all ms | record known to all ms | CPU of one, % | MiB of one |\n|---|---|---|---|---|---|---|---|\n',
);
let subnets = 0;
for (const agents of sizes.length > 0 ? sizes : [5, 20]) {
  for (const kind of [serf, ours]) process.stdout.write(`${await run(kind, agents)}\n`);
}

async function run(kind: Kind, count: number): Promise<string> {
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
  /** How long until as many agents have heard as there are to hear. */
  const untilHeard = async (what: string, by: number, fromMs: number): Promise<number> => {
    while ((heard.get(what)?.size ?? 0) < by) await new Promise((resolve) => setTimeout(resolve, 1));
    return performance.now() - fromMs;
  };
  // Each agent also tells of itself, but ours does not: its own word is not counted.
  const othersHeard = (name: string): void => void heard.get(`join ${name}`)?.delete(name);
  try {
    const agents = await Promise.all(Array.from({ length: count }, (_, index) => start(index)));
    const [first] = agents;
    if (first === undefined) throw new Error('there is at least one agent');
    if (kind === ours) {
      tell(first.child, { kind: 'open', seeds: [] });
      await once(first.child, 'message');
    }
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

    let record = NaN;
    if (kind === ours) {
      await settle();
      fromMs = performance.now();
      tell(first.child, { kind: 'publish', names: [{ name: 'api.internal', type: 'A', addresses: ['10.0.0.1'] }] });
      record = await untilHeard('records 1', count, fromMs);
    }
    const times = [joined, oneMore, failed, record].map((ms) => (Number.isNaN(ms) ? '–' : ms.toFixed(0)));
    return `| ${count} | ${kind.title} | ${times.join(' | ')} | ${use.percent.toFixed(1)} | ${use.mebibytes.toFixed(0)} |`;
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

/** proc(5): processor time in hundredths of a second, resident memory in pages of 4 KiB. */
async function usage({ pid }: ChildProcess, ms: number): Promise<{ percent: number; mebibytes: number }> {
  const ticks = async (): Promise<number> => {
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  };
  const before = await ticks();
  await new Promise((resolve) => setTimeout(resolve, ms));
  const pages = Number((await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1]);
  return { percent: (((await ticks()) - before) * 10 * 100) / ms, mebibytes: (pages * 4096) / 2 ** 20 };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
