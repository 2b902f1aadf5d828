import { execa } from 'execa';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { HOST_PACKAGES } from '@kopsctl/clouds/local/host-packages.ts';

/** Installs the Debian packages that local machines need on this computer, saying what for. */
export async function installHostPackages(log: (line: string) => void): Promise<void> {
  const installed = await execa('dpkg-query', ['-W', '-f', '${Package} ${db:Status-Status}\n'], { reject: false });
  const have = new Set(
    installed.stdout
      .split('\n')
      .filter((line) => line.endsWith(' installed'))
      .map((line) => line.split(' ')[0]),
  );
  const missing = HOST_PACKAGES.filter(({ name }) => !have.has(name));
  if (missing.length === 0) return;
  for (const { name, why } of missing) log(`install ${name}: ${why}`);
  const apt = ['-q', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120'];
  const names = missing.map(({ name }) => name);
  const options = { env: { DEBIAN_FRONTEND: 'noninteractive' } };
  try {
    await execa('apt-get', ['-q', 'update'], options);
    await execa('apt-get', ['install', ...apt, ...names], options);
  } catch (error) {
    throw new ActionableError({
      what: `install ${names.join(', ')}`,
      why: messageOf(error).split('\n').slice(0, 5).join('\n'),
      next: `try it by hand: apt-get update && apt-get install ${names.join(' ')}`,
      cause: error,
    });
  }
}
