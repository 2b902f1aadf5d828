import { execa } from 'execa';

/** Whether systemd is shutting this machine down, and not to reboot it. */
export async function isGoingDown(): Promise<boolean> {
  const state = await execa('systemctl', ['is-system-running'], { reject: false });
  if (state.stdout.trim() !== 'stopping') return false;
  const jobs = await execa('systemctl', ['list-jobs', '--no-legend'], { reject: false });
  return !/\b(?:reboot|kexec|soft-reboot)\.target\b/.test(jobs.stdout);
}
