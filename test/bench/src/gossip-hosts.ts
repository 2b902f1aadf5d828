import { randomBytes } from 'node:crypto';
import { readFileSync, watch } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { openGossip } from '@kopsctl/gossip/open-gossip.ts';
import { buildBinaries } from '../../../packaging/binary/src/build.ts';
import { certified, namesAuthority } from './certify-names.ts';
import { median } from './median.ts';
import { serveMetadata } from './metadata-stand-in.ts';
import { inOwnNamespaces } from './own-namespaces.ts';
import { kill } from './child-process.ts';
import { API, asDownloaded, CLUSTER, GOSSIP_PORT, startProtokube, type Protokube } from './protokube-process.ts';

/**
 * Runs real protokubes, the agents' binary as on machines, each with its own /etc. Measures the time from publishing
 * another address for a name until it is in every /etc/hosts, and from stopping a control plane until it is in none.
 * Prints a Markdown table. Needs root. `node test/bench/src/gossip-hosts.ts [machines]`
 */
const [machines = 20] = process.argv.slice(2).map(Number);
const CHANGES = 20;
const SETTLE_MS = 3000;
const GIVE_UP_MS = 120_000;

await inOwnNamespaces(async () => {
  const { agents } = await buildBinaries({ log: (line) => process.stderr.write(`${line}\n`) });
  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-bench-'));
  const binary = await asDownloaded(agents, folder);
  const key = randomBytes(32);
  const listed = Array.from({ length: machines }, (_, index) => machine(index));
  const [first] = listed;
  if (first === undefined) throw new Error('at least one machine is needed');
  const metadata = await serveMetadata(listed);
  const running: Protokube[] = [];
  const bindAddress = '127.4.0.1';
  const authority = await namesAuthority();
  const spoken = Array.from({ length: CHANGES }, (_, change) => `10.1.0.${change + 1}`);
  const speaker = await openGossip({
    name: 'speaker',
    bindAddress,
    port: GOSSIP_PORT,
    keys: [key],
    label: CLUSTER,
    signing: { isReserved: (name) => name === API, trust: await certified(authority, 'speaker', spoken) },
    seeds: async () => [{ address: first.address, port: GOSSIP_PORT }],
    log: {
      info: () => undefined,
      warn: (message, fields) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
    },
  });
  try {
    for (const { nodeName: name, address, role } of listed) {
      running.push(await startProtokube({ binary, folder, name, address, role, key, authority }));
    }
    await untilHosts(running, (hosts) => hosts.includes(first.address));
    await pause(SETTLE_MS);
    const said: number[] = [];
    for (const address of spoken) {
      const fromMs = performance.now();
      speaker.publish([{ name: API, type: 'A', addresses: [address] }]);
      await untilHosts(running, (hosts) => hosts.includes(`${address}\t`));
      said.push(performance.now() - fromMs);
      await pause(SETTLE_MS);
    }
    const fromMs = performance.now();
    running[0]?.child.kill('SIGTERM');
    await untilHosts(running.slice(1), (hosts) => !hosts.includes(`${first.address}\t`));
    const leftMs = performance.now() - fromMs;
    const row = [median(said), Math.min(...said), Math.max(...said), leftMs].map((ms) => ms.toFixed(0));
    process.stdout.write(
      '| machines | record published: in every /etc/hosts after ms (median, min, max) | control plane stops: in none after ms | load |\n|---|---|---|---|\n',
    );
    process.stdout.write(
      `| ${machines} | ${row[0]}, ${row[1]}, ${row[2]} | ${row[3]} | ${loadavg()[0]?.toFixed(1)} |\n`,
    );
  } finally {
    await Promise.all(running.map(({ child }) => kill(child)));
    await speaker.close();
    metadata.close();
    metadata.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  }
});

function machine(index: number): CloudMachine {
  const name = `m${index}`;
  const address = `127.3.0.${index + 1}`;
  const role = index === 0 ? 'ControlPlane' : 'Node';
  return {
    instanceId: name,
    nodeName: name,
    address,
    externalAddresses: [],
    role,
    instanceGroup: 'machines',
    running: true,
  };
}

/** Resolves as soon as the condition holds for every /etc/hosts. */
async function untilHosts(all: readonly Protokube[], isSo: (hosts: string) => boolean): Promise<void> {
  await Promise.all(
    all.map(
      ({ name, hostsPath }) =>
        new Promise<void>((resolve, reject) => {
          const timer = setTimeout(
            () => done(new Error(`${name}: the condition did not hold within ${GIVE_UP_MS} ms`)),
            GIVE_UP_MS,
          );
          const watcher = watch(dirname(hostsPath), () => look());
          const done = (error?: Error): void => {
            clearTimeout(timer);
            watcher.close();
            if (error === undefined) resolve();
            else reject(error);
          };
          const look = (): void => {
            if (isSo(readFileSync(hostsPath, 'utf8'))) done();
          };
          look();
        }),
    ),
  );
}
