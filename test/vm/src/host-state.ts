import { readdir, readFile } from 'node:fs/promises';
import { execa } from 'execa';

/** Everything that local machines could leave behind on this computer, as sorted lines. */
export async function hostState(): Promise<readonly string[]> {
  const [links, loops, namespaces] = await Promise.all([
    execa('ip', ['-o', 'link']),
    execa('losetup', ['--list', '--noheadings', '--output', 'BACK-FILE']),
    execa('ip', ['netns', 'list']),
  ]);
  const mounts = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n').map((line) => line.split(' ')[4] ?? '');
  const lines = (text: string) => text.split('\n').filter(Boolean);
  return [
    ...mounts.filter(Boolean).map((mount) => `mount ${mount}`),
    ...lines(links.stdout).map((line) => `link ${line.split(':')[1]?.trim().split('@')[0] ?? line}`),
    ...lines(loops.stdout).map((line) => `loop ${line}`),
    ...lines(namespaces.stdout).map((line) => `netns ${line}`),
    ...(await cgroups()),
    ...(await machineProcesses()),
  ].sort();
}

async function cgroups(): Promise<readonly string[]> {
  const hierarchies = await readdir('/sys/fs/cgroup').catch(() => []);
  const found = await Promise.all(
    hierarchies.map(async (hierarchy) => {
      const groups = await readdir(`/sys/fs/cgroup/${hierarchy}`).catch(() => []);
      return groups.filter((name) => name.startsWith('kl-')).map((name) => `cgroup ${hierarchy}/${name}`);
    }),
  );
  return found.flat();
}

/** The processes of machines and supervisors, by command line. */
async function machineProcesses(): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(
    pids.map(async (pid) =>
      (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ').trim(),
    ),
  );
  return commands
    .filter((command) => /systemd-nspawn|local-supervisor|catatonit|kubelet|containerd/.test(command))
    .map((command) => `process ${command.slice(0, 80)}`);
}
