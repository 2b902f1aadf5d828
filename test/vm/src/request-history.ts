import { setTimeout as sleep } from 'node:timers/promises';
import { continueWhenStopped } from '@kopsctl/clouds/local/control/processes/continue-stopped.ts';
import { execa } from 'execa';
import type { TestCluster } from './cluster.ts';

/** What clients of a Service saw. */
export interface RequestHistory {
  readonly answered: number;
  /** Each request that was not answered, with the machine that sent it. */
  readonly failed: readonly string[];
  /** The longest time without an answer to anybody, and when it ended. */
  readonly longestSilence: { readonly ms: number; readonly until: string };
}

export interface RunningClients {
  /** Ends them and returns what they saw. */
  end(): Promise<RequestHistory>;
}

/**
 * Asks in a loop, ten times a second, and says how each request ended: a shell that starts curl as often takes a third of a
 * processor from the cluster. A new machine has no rules for Services in its first moment, and nothing is sent before it has:
 * the kernel keeps an untranslated connection in mind for two minutes, and a later one from the same port would be taken for
 * it. What is sent counts from the first answer on. An answer that takes longer than two seconds is none.
 */
const CLIENT = `
import http.client, subprocess, sys, time
host = sys.argv[1]
while f"KUBE-SERVICES -d {host}/32" not in subprocess.run(["iptables-save", "-t", "nat"], capture_output=True, text=True).stdout:
    time.sleep(0.2)
seen = False
while True:
    server = http.client.HTTPConnection(host, timeout=2)
    began = time.monotonic()
    try:
        server.request("GET", "/")
        answer = server.getresponse()
        answer.read()
        if answer.status != 200:
            raise OSError(f"status {answer.status}")
        took = time.monotonic() - began
        if took > 2:
            raise TimeoutError(f"answered after {took:.1f} s")
        seen = True
        print("ok", flush=True)
    except (OSError, http.client.HTTPException) as why:
        if seen:
            print(f"failed: {why!r}", flush=True)
    finally:
        server.close()
    time.sleep(0.1)
`;

const LOOK_AGAIN_MS = 1_000;

/**
 * Sends requests from every machine of a cluster, those that are made meanwhile too. A machine that ends takes its client with
 * it, and the request that the client was waiting for.
 */
export function startClients(cluster: TestCluster, url: string): RunningClients {
  const clients = new Map<string, Promise<void>>();
  const ending = new AbortController();
  const failed: string[] = [];
  let [answered, lastMs, longest] = [0, Date.now(), { ms: 0, until: '' }];
  const hear = (machine: string, line: string): void => {
    const nowMs = Date.now();
    if (line !== 'ok') {
      failed.push(`${machine} at ${new Date(nowMs).toISOString()}: ${line}`);
      return;
    }
    if (nowMs - lastMs > longest.ms) longest = { ms: nowMs - lastMs, until: new Date(nowMs).toISOString() };
    [answered, lastMs] = [answered + 1, nowMs];
  };
  const run = async (machine: string): Promise<void> => {
    const [program = '', ...args] = await cluster.commandOn(
      machine,
      '/usr/bin/python3',
      '-c',
      CLIENT,
      new URL(url).hostname,
    );
    // A program that is started with a signal that was already given is not ended by it.
    if (ending.signal.aborted) return;
    const options = { reject: false, buffer: false, lines: true, cancelSignal: ending.signal } as const;
    const asking = execa(program, args, { ...options, forceKillAfterDelay: 1_000 });
    void asking.finally(continueWhenStopped(asking.pid));
    for await (const line of asking) hear(machine, line);
  };
  const looking = (async () => {
    while (!ending.signal.aborted) {
      // A machine that is being made or ended cannot be asked: it is looked at again.
      const machines = await cluster.machines().catch(() => []);
      for (const { name } of machines) {
        if (clients.has(name)) continue;
        const ended = run(name).catch(() => {});
        clients.set(name, ended);
        void ended.finally(() => clients.delete(name));
      }
      await sleep(LOOK_AGAIN_MS);
    }
  })();
  return {
    async end() {
      ending.abort();
      await looking;
      await Promise.all(clients.values());
      return { answered, failed, longestSilence: longest };
    },
  };
}
