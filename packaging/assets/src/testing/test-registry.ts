import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import path from 'node:path';

import { freePort } from '@kopsctl/test-peers/free-port.ts';

/** A registry that runs on this machine, and a way to it that can be broken. */
export interface TestRegistry {
  /** For publishing. */
  readonly base: string;
  /** The way to it by its name `registry.test`, as containerd's certs.d. */
  readonly hostsDir: string;
  /** Gives clients that pull this many bytes of layers and configurations in all; after that no connection holds. */
  allow(bytes: number): void;
  /** How many bytes of layers and configurations were given to clients that pull. */
  givenBytes(): number;
  stop(): Promise<void>;
}

/** @param program the registry of distribution */
export async function startRegistry(program: string, folder: string): Promise<TestRegistry> {
  const port = await freePort();
  const config = path.join(folder, 'registry.yml');
  await writeFile(
    config,
    `version: 0.1
log: {level: error, accesslog: {disabled: true}}
storage: {filesystem: {rootdirectory: ${path.join(folder, 'storage')}}}
http: {addr: "127.0.0.1:${port}", secret: test}
`,
  );
  const child = spawn(program, ['serve', config], {
    stdio: 'ignore',
    env: { ...process.env, OTEL_TRACES_EXPORTER: 'none' },
  });
  const way = breakableWay(port);
  way.server.listen(0, '127.0.0.1');
  await once(way.server, 'listening');
  const address = way.server.address();
  const wayPort = typeof address === 'object' ? address?.port : undefined;
  const hostsDir = path.join(folder, 'certs.d');
  await mkdir(path.join(hostsDir, 'registry.test'), { recursive: true });
  await writeFile(path.join(hostsDir, 'registry.test/hosts.toml'), `server = "http://127.0.0.1:${wayPort}"\n`);
  const base = `http://127.0.0.1:${port}`;
  await untilItAnswers(base, () => child.exitCode !== null);
  return {
    base,
    hostsDir,
    allow: way.allow,
    givenBytes: way.givenBytes,
    async stop() {
      way.server.closeAllConnections();
      way.server.close();
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Passes requests on, and counts what blobs go through. */
function breakableWay(port: number) {
  let allowed = Infinity;
  let given = 0;
  const server = createServer((asked, answer) => {
    const { method, url, headers } = asked;
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (found) => {
      answer.writeHead(found.statusCode ?? 500, found.headers);
      found.on('data', (chunk: Buffer) => {
        if (url?.includes('/blobs/')) given += chunk.length;
        answer.write(chunk);
        if (given > allowed) answer.destroy();
      });
      found.on('end', () => answer.end());
      found.on('error', () => answer.destroy());
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  });
  return {
    server,
    allow: (bytes: number) => void (allowed = bytes),
    givenBytes: () => given,
  };
}

async function untilItAnswers(base: string, hasEnded: () => boolean): Promise<void> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const answers = await fetch(`${base}/v2/`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answers) return;
    if (hasEnded() || performance.now() > deadline) throw new Error('the registry did not start');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
