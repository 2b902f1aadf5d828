import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { CLI_FLAGS } from '@kopsctl/packaging-binary/build.ts';
import { kubeClient, type KubeClient, KubeError } from '@kopsctl/kube/client.ts';
import { findApiServers, startApiServer } from '@kopsctl/test-peers/start-api-server.ts';
import { findPeer } from '@kopsctl/test-peers/provide.ts';
import { bundleProcess } from './bundle-process.ts';
import { joinNodes, untilReady } from './thousand/join-nodes.ts';
import type { RollFigures } from './thousand/roll-process.ts';
import { budgetOf, CLUSTER, makeMachines, openToy, wantedMachines } from './thousand/toy-machines.ts';
import type { ValidateFigures } from './thousand/validate-process.ts';
import { until } from './until.ts';

/**
 * Validates and rolls a cluster of that many workers: their machines are in the toy cloud, their Nodes on the newest
 * API server, and kwok keeps those Ready. `node test/bench/src/thousand-nodes.ts [COUNT]`, a thousand unless given. The
 * processes that validate and roll run what kopsctl runs. Exits with 1 if a mark is missed.
 */
const count = Number(process.argv[2] ?? 1000);
const MARKS = { validateSeconds: 3, residentMiB: 250, growthMiB: 25 };

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const newest = (await findApiServers()).at(-1);
const kwok = await findPeer('kwok');
if (newest === undefined || kwok === undefined) throw new Error('this machine cannot run an API server and kwok');
const folder = await mkdtemp(join(tmpdir(), 'kopsctl-thousand-'));
const ended = new AbortController();
// Nothing here makes the account that pods get unless they name one.
const server = await startApiServer(newest, ['--disable-admission-plugins=ServiceAccount']);
await using log = await open(join(folder, 'kwok.log'), 'a');
const controller = spawn(
  join(kwok.root, 'kwok'),
  [
    `--kubeconfig=${server.kubeconfig}`,
    `--config=${join(import.meta.dirname, 'thousand', 'kwok-stages.yaml')}`,
    '--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake',
  ],
  { stdio: ['ignore', log.fd, log.fd], cwd: folder, env: { ...process.env, HOME: folder } },
);
await once(controller, 'spawn');
const kwokEnded = once(controller, 'exit').then(async () => {
  throw new Error(`kwok has ended:\n${(await readFile(join(folder, 'kwok.log'), 'utf8')).slice(-1_000)}`);
});
// Where it is waited for, its end is told; at the end of this program, it is wanted.
kwokEnded.catch(() => undefined);
try {
  const kube = kubeClient(server.kubeconfig);
  // The server makes the classes that static pods name, and lets pods name them, a moment after it answers.
  await until('the API server takes static pods', () => takesStaticPods(kube));
  const toy = openToy(folder);
  const machines = wantedMachines(count);
  await makeMachines(toy, machines);
  const joining = joinNodes(toy, kube, budgetOf(count), ended.signal);
  const failed = joining.then(() => new Promise<never>(() => undefined));
  failed.catch((error: unknown) => {
    if (!ended.signal.aborted) say(`no Node joins any more: ${String(error)}`);
  });
  await Promise.race([untilReady(machines.length, kube, AbortSignal.timeout(20 * 60_000)), failed, kwokEnded]);
  say(
    `${machines.length} Nodes of ${CLUSTER} are Ready; load ${loadavg()
      .map((one) => one.toFixed(1))
      .join(' ')}`,
  );
  const child = async <Figures>(program: string, ...args: readonly string[]): Promise<Figures> => {
    const script = await bundleProcess(join(import.meta.dirname, 'thousand', program), folder);
    const { stdout } = await execa(process.execPath, [...CLI_FLAGS, script, folder, server.kubeconfig, ...args], {
      stderr: 'inherit',
    });
    // Printed by the script beside this one.
    return JSON.parse(stdout) as Figures;
  };
  const validated = [];
  for (let run = 0; run < 3; run += 1) validated.push(await child<ValidateFigures>('validate-process.ts'));
  say(JSON.stringify(validated));
  const rolled = await child<RollFigures>('roll-process.ts', String(count));
  process.stdout.write(
    `${JSON.stringify({ count, kubernetes: newest.version, load: loadavg(), validated, rolled }, null, 2)}\n`,
  );
  const seconds = Math.min(...validated.map((one) => one.seconds));
  const missed = [
    ...validated.flatMap(({ failures }) => failures.slice(0, 3)),
    ...(seconds > MARKS.validateSeconds ? [`validate takes ${seconds} s`] : []),
    ...(rolled.state !== 'done' || rolled.replaced !== count ? [`${rolled.replaced} machines were replaced`] : []),
    ...(rolled.rounds > Math.ceil(count / rolled.budget) ? [`the roll takes ${rolled.rounds} rounds`] : []),
    ...(rolled.residentMiB.peak > MARKS.residentMiB ? [`the roll takes ${rolled.residentMiB.peak} MiB`] : []),
    ...validated.flatMap(({ peakMiB }) => (peakMiB > MARKS.residentMiB ? [`validate takes ${peakMiB} MiB`] : [])),
    ...(count > 100 && rolled.residentMiB.atLast - rolled.residentMiB.atHundred > MARKS.growthMiB
      ? ['its memory grows']
      : []),
  ];
  for (const mark of missed) say(`missed: ${mark}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  ended.abort();
  controller.kill('SIGKILL');
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

async function takesStaticPods(kube: KubeClient): Promise<boolean> {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'tried' },
    spec: { priorityClassName: 'system-node-critical', containers: [{ name: 'tried', image: 'tried' }] },
  };
  const path = '/api/v1/namespaces/kube-system/pods?dryRun=All';
  return kube.create(path, pod, AbortSignal.timeout(10_000)).then(
    () => true,
    (error: unknown) => {
      if (error instanceof KubeError && [403, 404].includes(error.status)) return false;
      throw error;
    },
  );
}
