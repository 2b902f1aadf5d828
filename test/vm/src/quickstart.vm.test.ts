import { ensureHostTools } from '@kopsctl/packaging-assets/host-tools.ts';
import { TEST_HOST_TOOLS } from '@kopsctl/test-peers/host-tools.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { often } from '@kopsctl/test-suite/long.ts';
import { cannotRunMachines, testCluster, until, type TestCluster } from './cluster.ts';
import { hostState } from './host-state.ts';
import { killAtBoundaries, plannedFiles, undoNodeup } from './kill-at-boundaries.ts';
import { changingSyscalls } from './syscalls.ts';

const reason = cannotRunMachines();
if (reason !== undefined) console.warn(`skipped: ${reason}`);

describe.skipIf(reason !== undefined)('the quickstart cluster', () => {
  let cluster: TestCluster;
  let before: readonly string[];

  beforeAll(async () => {
    before = await hostState();
    cluster = await testCluster('quickstart.yaml');
  });
  afterAll(async () => {
    await cluster?.destroy();
  });

  const readyNodes = async () =>
    (await cluster.kubectl('get', 'nodes', '--no-headers')).split('\n').filter((line) => / Ready /.test(line)).length;

  test('has two Ready nodes after apply', async () => {
    const applied = await cluster.kopsctl('apply', '-f', cluster.spec, '--yes');
    process.stderr.write(applied.stderr);
    expect(applied.exitCode).toBe(0);
    expect(await readyNodes()).toBe(2);
  });

  test('has machines that are listed, and run what a person asks of them', async () => {
    const listed = await cluster.kopsctl('get', 'machines', '-o', 'json');
    const machines: readonly { readonly name: string; readonly machineId: string }[] = JSON.parse(listed.stdout);
    expect(machines).toEqual(await cluster.machines());
    expect(machines).toHaveLength(2);
    for (const { name, machineId } of machines) {
      const command = ['sh', '-c', 'cat /etc/machine-id; echo no >&2; exit 3'];
      const ran = await cluster.kopsctl('toolbox', 'exec', name, '--', ...command);
      expect(ran).toMatchObject({ exitCode: 3, stdout: machineId, stderr: 'no' });
    }
  });

  test('has imported its images once on this computer, and not in its machines', async () => {
    for (const { name } of await cluster.machines()) {
      const { stdout } = await cluster.on(name, 'journalctl', '--unit', 'nodeup.service', '--output', 'cat');
      expect(stdout).toContain('step applied task=File/');
      expect(stdout).not.toContain('step applied task=Image/');
    }
  });

  test('has nothing to change in a second apply', async () => {
    const again = await cluster.kopsctl('apply', '-f', cluster.spec, '--yes');
    expect(again.exitCode).toBe(0);
    expect(again.stderr).toContain('no changes');
  });

  test('routes requests from the other node through a Service to a pod on the worker', async () => {
    const machines = await cluster.machines();
    const worker = machines.find(({ role }) => role === 'Node');
    const controlPlane = machines.find(({ role }) => role === 'ControlPlane');
    await cluster.kubectl(
      'run',
      'hello',
      '--image=busybox:1.37.0',
      `--overrides={"spec":{"nodeName":"${worker?.nodeName}"}}`,
      '--port=8080',
      '--command',
      '--',
      '/bin/sh',
      '-c',
      'mkdir -p /www && echo hello > /www/index.html && httpd -f -p 8080 -h /www',
    );
    await cluster.kubectl('expose', 'pod', 'hello', '--port=80', '--target-port=8080');
    const address = await cluster.kubectl('get', 'service', 'hello', '-o', 'jsonpath={.spec.clusterIP}');
    const answer = await until('the Service answers', 60_000, async () => {
      const got = await cluster.on(controlPlane?.name ?? '', 'curl', '-sf', '--max-time', '2', `http://${address}/`);
      return got.exitCode === 0 ? got.stdout : undefined;
    });
    expect(answer.trim()).toBe('hello');
    // Inside a pod, the DNS name of the Service works too.
    const name = 'hello.default.svc.cluster.local';
    expect(await cluster.kubectl('exec', 'hello', '--', 'nslookup', name)).toContain(`Address: ${address}`);
  });

  test('has nothing to change when nodeup runs again', async () => {
    for (const { name } of await cluster.machines()) {
      const again = await cluster.on(name, '/opt/kops/bin/nodeup', '--dry-run', '--exit-code');
      expect(again.stdout).toMatch(/no changes/i);
      expect(again.exitCode).toBe(0);
    }
  });

  test('is not changed by a dry run, which makes no system call with an outside effect', async () => {
    await ensureHostTools(TEST_HOST_TOOLS, () => {});
    for (const { name } of await cluster.machines()) {
      const command = await cluster.commandOn(name, '/opt/kops/bin/nodeup', '--dry-run');
      expect(await changingSyscalls(command, '/opt/kops/bin/nodeup')).toEqual([]);
    }
  });

  test('reaches the same state when nodeup is killed at boundaries of its tasks', async () => {
    const worker = (await cluster.machines()).find(({ role }) => role === 'Node')?.name ?? '';
    const undisturbed = await plannedFiles(cluster, worker);
    await undoNodeup(cluster, worker);
    const { kills, exitCode } = await killAtBoundaries(cluster, worker, often(5, 1));
    expect(kills).toBeGreaterThan(often(4, 20));
    expect(exitCode).toBe(0);
    expect(await plannedFiles(cluster, worker)).toEqual(undisturbed);
    const again = await cluster.on(worker, '/opt/kops/bin/nodeup', '--dry-run', '--exit-code');
    expect(again.stdout).toContain('No changes');
    expect(again.exitCode).toBe(0);
    expect(await cluster.kopsctl('validate', 'cluster', '--wait', '2m')).toMatchObject({ exitCode: 0 });
  });

  test('has Ready nodes again after all machines reboot at once', async () => {
    const reboot = async (name: string) => {
      const started = (await cluster.on(name, 'stat', '-c', '%Y', '/run/systemd')).stdout;
      await cluster.kopsctl('toolbox', 'reboot', name);
      await until(`${name} has rebooted`, 60_000, async () => {
        const now = await cluster.on(name, 'stat', '-c', '%Y', '/run/systemd');
        return now.exitCode === 0 && now.stdout !== started ? true : undefined;
      });
    };
    await Promise.all((await cluster.machines()).map(({ name }) => reboot(name)));
    expect(await cluster.kopsctl('validate', 'cluster', '--wait', '3m')).toMatchObject({ exitCode: 0 });
    expect(await readyNodes()).toBe(2);
  });

  test('leaves nothing behind after delete', async () => {
    const deleted = await cluster.kopsctl('delete', 'cluster', '--yes');
    expect(deleted.exitCode).toBe(0);
    await until('everything is gone', 15_000, async () => {
      const left = (await hostState()).filter((line) => !before.includes(line));
      if (left.length > 0) throw new Error(left.join(', '));
      return true;
    });
  });
});
