import { HOST_PACKAGES } from '@kopsctl/clouds/local/control/preflight/host-packages.ts';
import { ensureHostTools } from '@kopsctl/packaging-assets/host-tools.ts';

/** Installs the Debian packages that local machines need on this computer, and logs the purpose of each. */
export async function installHostPackages(log: (line: string) => void): Promise<void> {
  await ensureHostTools(
    HOST_PACKAGES.flatMap(({ name, why, programs }) =>
      programs.map((program) => ({ program, packageName: name, why })),
    ),
    log,
  );
}
