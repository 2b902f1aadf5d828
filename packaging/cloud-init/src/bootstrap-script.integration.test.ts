import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { bootstrapScript } from './bootstrap-script.ts';
import type { BootConfig } from '@kopsctl/node-plan/node-plan.ts';

const AGENTS = randomBytes(300_000);
const SHA256 = createHash('sha256').update(AGENTS).digest('hex');
const BOOT_CONFIG: BootConfig = {
  cloud: 'local',
  stateStore: 'http://s',
  cluster: 'demo',
  instanceGroup: 'nodes',
  planFolder: 'worker-plans',
  planHash: 'f',
};

/** The download tools of images: some have curl, some only wget. */
const DOWNLOADERS = ['curl', 'wget'].filter((tool) => existsSync(`/usr/bin/${tool}`));
if (DOWNLOADERS.length < 2) console.log(`tested only with ${DOWNLOADERS.join()}: the other tool is not installed`);

type Mirror = (request: IncomingMessage, response: ServerResponse) => void;

const honest: Mirror = (request, response) => serve(AGENTS, request, response);
const lying: Mirror = (request, response) => serve(Buffer.alloc(AGENTS.length, 'x'), request, response);
const missing: Mirror = (_, response) => void response.writeHead(404).end();
const withoutRanges: Mirror = (_, response) =>
  void response.writeHead(200, { 'content-length': AGENTS.length }).end(AGENTS);

/** Sends a part of the requested bytes and closes the connection. */
function breaking(content: Buffer, bytes: number): Mirror {
  return (request, response) => {
    const start = startOf(request);
    response.writeHead(start === 0 ? 200 : 206, {
      'content-length': content.length - start,
      ...(start === 0
        ? {}
        : { 'content-range': `bytes ${String(start)}-${String(content.length - 1)}/${String(content.length)}` }),
    });
    response.write(content.subarray(start, start + bytes), () => response.destroy());
  };
}

describe.each(DOWNLOADERS)('the bootstrap script with %s', (downloader) => {
  let root: string;
  let tools: string;
  let server: Server;
  let base: string;
  const started: ChildProcess[] = [];
  const mirrors = new Map<string, Mirror>();
  const requests: string[] = [];

  beforeEach(async () => {
    root = mkdtempSync(path.join(tmpdir(), 'kops-bootstrap-'));
    tools = path.join(root, 'tools');
    mkdirSync(tools);
    for (const tool of [
      'cat',
      'chmod',
      'cut',
      'dirname',
      'ln',
      'mkdir',
      'mv',
      'rm',
      // An image may have either.
      downloader === 'curl' ? 'openssl' : 'sha256sum',
      'sync',
      'wc',
      downloader,
    ]) {
      writeFileSync(path.join(tools, tool), `#!/bin/sh\nexec ${toolPath(tool)} "$@"\n`, { mode: 0o755 });
    }
    writeFileSync(path.join(tools, 'systemctl'), `#!/bin/sh\necho "$*" >>${root}/systemctl.log\n`, { mode: 0o755 });
    writeFileSync(path.join(tools, 'sleep'), `#!/bin/sh\necho "$*" >>${root}/sleep.log\n`, { mode: 0o755 });
    mirrors.clear();
    requests.length = 0;
    server = createServer((request, response) => {
      requests.push(`${request.url ?? ''} ${request.headers.range ?? 'whole'}`);
      (mirrors.get(request.url ?? '') ?? missing)(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    base = `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : 0)}`;
  });

  afterEach(async () => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(root, { recursive: true, force: true });
  });

  function start(...names: readonly string[]) {
    const agents = { urls: names.map((name) => `${base}/${name}`), sha256: SHA256 };
    // A limit that is reached soon: 400 KiB, or 800 where the shell counts in KiB.
    const script = bootstrapScript({ agents, bootConfig: BOOT_CONFIG }, root).replace(
      /^max_blocks=.*$/m,
      'max_blocks=800',
    );
    const child = spawn('/bin/sh', ['-c', script], { env: { PATH: tools }, stdio: ['ignore', 'ignore', 'pipe'] });
    started.push(child);
    return child;
  }

  async function run(...names: readonly string[]): Promise<{ readonly code: number | null; readonly said: string }> {
    const child = start(...names);
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, said };
  }

  function expectBootstrapped(): void {
    const bin = path.join(root, 'opt/kops/bin');
    expect(readFileSync(path.join(bin, 'kops-agents')).equals(AGENTS)).toBe(true);
    const agents = ['etcd-manager', 'node-authority', 'nodeup', 'protokube'];
    expect(readdirSync(bin).sort()).toEqual([...agents, 'kops-agents'].sort());
    expect(readlinkSync(path.join(bin, 'nodeup'))).toBe('kops-agents');
    expect(JSON.parse(readFileSync(path.join(root, 'etc/kops/boot.json'), 'utf8'))).toEqual(BOOT_CONFIG);
    expect(readFileSync(path.join(root, 'etc/systemd/system/nodeup.service'), 'utf8')).toContain('ExecStart=');
    const calls = readFileSync(path.join(root, 'systemctl.log'), 'utf8').trim().split('\n');
    expect(calls.at(-1)).toBe('enable --now --no-block nodeup.service');
  }

  test('installs the agents from the first mirror that has them', async () => {
    mirrors.set('/b', honest);
    const { code } = await run('a', 'b');
    expect(code).toBe(0);
    expectBootstrapped();
    expect(requests).toEqual(['/a whole', '/b whole']);
  });

  test('resumes an interrupted download at another mirror', async () => {
    mirrors.set('/a', breaking(AGENTS, 100_000)).set('/b', honest);
    expect((await run('a', 'b')).code).toBe(0);
    expectBootstrapped();
    expect(requests.at(-1)).toMatch(/^\/b bytes=\d{2,}-$/);
  });

  test('downloads nothing where the hash was not known when it was written', async () => {
    const script = bootstrapScript(
      { agents: { urls: [`${base}/a`], sha256: 'unknown' }, bootConfig: BOOT_CONFIG },
      root,
    );
    const { exitCode, stderr } = await execa('/bin/sh', ['-c', script], {
      env: { PATH: tools },
      extendEnv: false,
      reject: false,
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('their hash was not known when this was written');
    expect(requests).toEqual([]);
  });

  test('deletes wrong content of a mirror and never installs it', async () => {
    mirrors.set('/a', lying).set('/b', honest);
    const { code, said } = await run('a', 'b');
    expect(code).toBe(0);
    expect(said).toContain('/a: wrong content');
    expectBootstrapped();
  });

  test('recovers from wrong content that is interrupted', async () => {
    mirrors.set('/a', breaking(Buffer.alloc(AGENTS.length, 'x'), 1000)).set('/b', honest);
    expect((await run('a', 'b')).code).toBe(0);
    expectBootstrapped();
  });

  test('gives up a mirror that sends more than the agents can have, and deletes what it sent', async () => {
    mirrors.set('/a', (request, response) => serve(Buffer.alloc(4_000_000, 'x'), request, response)).set('/b', honest);
    const { code, said } = await run('a', 'b');
    expect(code).toBe(0);
    expect(said).toMatch(/\/a: .* thrown away/);
    expectBootstrapped();
    expect(requests.at(-1)).toBe('/b whole');
  });

  test.skipIf(process.getuid?.() !== 0)('deletes what fills the disk before it asks another mirror', async () => {
    const bin = path.join(root, 'opt/kops/bin');
    mkdirSync(bin, { recursive: true });
    await execa('mount', ['-t', 'tmpfs', '-o', 'size=350k', 'tmpfs', bin]);
    try {
      mirrors.set('/a', (request, response) => serve(Buffer.alloc(380_000, 'x'), request, response)).set('/b', honest);
      const { code, said } = await run('a', 'b');
      expect(code).toBe(0);
      expect(said).toMatch(/\/a: .* thrown away/);
      expectBootstrapped();
    } finally {
      await execa('umount', [bin]);
    }
  });

  test('starts again if a mirror cannot resume', async () => {
    mirrors.set('/a', breaking(AGENTS, 1000)).set('/b', withoutRanges);
    expect((await run('a', 'b')).code).toBe(0);
    expectBootstrapped();
  });

  test('retries all mirrors until one has the agents, with growing delays', async () => {
    let round = 0;
    mirrors.set('/a', (request, response) => {
      round += 1;
      (round < 4 ? missing : honest)(request, response);
    });
    expect((await run('a')).code).toBe(0);
    expectBootstrapped();
    expect(readFileSync(path.join(root, 'sleep.log'), 'utf8')).toBe('1\n2\n4\n');
  });

  test('does not trust a partial file of the right size that a power failure left behind', async () => {
    mirrors.set('/a', honest);
    mkdirSync(path.join(root, 'opt/kops/bin'), { recursive: true });
    writeFileSync(path.join(root, `opt/kops/bin/.kops-agents.${SHA256}.part`), Buffer.alloc(AGENTS.length));
    writeFileSync(path.join(root, 'opt/kops/bin/kops-agents'), Buffer.alloc(10));
    expect((await run('a')).code).toBe(0);
    expectBootstrapped();
  });

  test('downloads nothing the second time', async () => {
    mirrors.set('/a', honest);
    await run('a');
    requests.length = 0;
    expect((await run('a')).code).toBe(0);
    expectBootstrapped();
    expect(requests).toEqual([]);
  });

  test('succeeds on the next run after being killed at any moment', async () => {
    mirrors.set('/a', honest);
    for (let delayMs = 0; delayMs < 120; delayMs += 8) {
      const child = start('a');
      const closed = new Promise((resolve) => child.on('close', resolve));
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      child.kill('SIGKILL');
      await closed;
      const installed = path.join(root, 'opt/kops/bin/kops-agents');
      expect(!existsSync(installed) || readFileSync(installed).equals(AGENTS)).toBe(true);
    }
    expect((await run('a')).code).toBe(0);
    expectBootstrapped();
  });
});

function serve(content: Buffer, request: IncomingMessage, response: ServerResponse): void {
  const start = startOf(request);
  if (start >= content.length) {
    response.writeHead(416, { 'content-range': `bytes */${String(content.length)}` }).end();
    return;
  }
  response.writeHead(start === 0 ? 200 : 206, {
    'content-length': content.length - start,
    'accept-ranges': 'bytes',
    ...(start === 0
      ? {}
      : { 'content-range': `bytes ${String(start)}-${String(content.length - 1)}/${String(content.length)}` }),
  });
  response.end(content.subarray(start));
}

function startOf(request: IncomingMessage): number {
  return Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
}

function toolPath(tool: string): string {
  return existsSync(`/usr/bin/${tool}`) ? `/usr/bin/${tool}` : `/bin/${tool}`;
}
