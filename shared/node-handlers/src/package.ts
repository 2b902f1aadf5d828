import { existsSync } from 'node:fs';
import { release } from 'node:os';
import type { Handler, Step } from '@kopsctl/tasks/task.ts';
import * as z from 'zod';
import { runCommand, tryCommand } from './command.ts';
import { usesDpkg } from './installed-packages.ts';
import type { NodeEnv } from './node-env.ts';
import { ordered } from './ordered.ts';
import { addPackageSource, distributionsOf, isAmazonLinux2023, sourceSchema, systemOf } from './package-source.ts';
import { notThisHost } from './running-host.ts';

const schema = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9+._-]*$/),
  /** The distribution, or the family of distributions, that has it. */
  onlyOn: z.enum(['debian', 'fedora', 'ubuntu']).optional(),
  source: sourceSchema.optional(),
  ...ordered,
});
type Props = z.infer<typeof schema>;

/** Other programs (unattended-upgrades, cloud-init) hold dpkg's lock for minutes on a fresh machine. */
const LOCK_TIMEOUT_SECONDS = 300;

interface FoundPackage {
  readonly isInstalled: boolean;
  /** Why this run does not install it. */
  readonly refusal?: string;
}

/** An installed package of the distribution, which decides its version. */
export const packageHandler: Handler<NodeEnv, Props, FoundPackage> = {
  kind: 'Package',
  // Package managers lock.
  concurrency: 1,
  parse: (props) => schema.parse(props),

  async find(_name, props, env, signal) {
    const names = await packagesHere(props.name, env.root);
    const known = await Promise.all(names.map((name) => env.packages.ask(name, signal)));
    const isInstalled = known.every((answer) => answer === true);
    const refusal = notThisHost(env) ?? (await notForThisHost(props, env));
    return isInstalled || refusal === undefined ? { isInstalled } : { isInstalled, refusal };
  },

  plan: (_name, props, actual): readonly Step[] =>
    actual?.isInstalled === true || actual?.refusal !== undefined
      ? []
      : [{ action: 'install', summary: `install the package ${props.name}` }],

  warnings: (_name, props, actual) =>
    actual?.refusal === undefined ? [] : [`the package ${props.name} is not installed: ${actual.refusal}`],

  async apply(_step, _name, props, env, signal) {
    const what = `install the package ${props.name}`;
    if (!usesDpkg(env.root)) {
      await runCommand(
        what,
        existsSync('/usr/bin/dnf') ? 'dnf' : 'yum',
        ['install', '-y', '--setopt=install_weak_deps=False', ...(await packagesHere(props.name, env.root))],
        signal,
      );
      return;
    }
    const quiet = { DEBIAN_FRONTEND: 'noninteractive' };
    if (props.source !== undefined) {
      await addPackageSource(env.root, props.source, signal);
      await runCommand('update the package lists', 'apt-get', ['update', '-q'], signal, quiet);
    }
    const args = ['-q', '-y', '--no-install-recommends', '-o', `DPkg::Lock::Timeout=${LOCK_TIMEOUT_SECONDS}`];
    const first = await tryCommand('apt-get', ['install', ...args, props.name], signal, quiet);
    if (first.exitCode === 0) return;
    // An interrupted installation leaves packages half configured, and apt refuses to work until that is repaired.
    await tryCommand('dpkg', ['--configure', '-a'], signal, quiet);
    // New machines have no package lists; old ones list packages that are gone.
    await runCommand('update the package lists', 'apt-get', ['update', '-q'], signal, quiet);
    await runCommand(what, 'apt-get', ['install', ...args, props.name], signal, quiet);
  },
};

/**
 * Amazon Linux 2023 has two kinds of iptables. Rules of one are not seen by the other, and pod networks use the newer
 * one (kops nodeup/pkg/model/packages.go).
 */
const IN_AMAZON_LINUX_2023: Readonly<Record<string, string>> = { iptables: 'iptables-nft', ebtables: 'iptables-nft' };

/** What a package of the plan is on this host. */
async function packagesHere(name: string, root: string): Promise<readonly string[]> {
  const other = IN_AMAZON_LINUX_2023[name];
  if (other !== undefined && (await isAmazonLinux2023(root))) return [other];
  if (name === 'iptables' && (await hasFewModules(root))) return ['iptables-nft', `kernel-modules-extra-${release()}`];
  return [name];
}

/**
 * From version 10 on, kernels of Red Hat's family come without the modules of iptables and br_netfilter, and so do Fedora's;
 * those of another kernel than the running one cannot be loaded.
 */
async function hasFewModules(root: string): Promise<boolean> {
  const { ids, version } = await systemOf(root);
  return ids.includes('fedora') && (ids[0] === 'fedora' || (ids.includes('rhel') && version >= 10));
}

/** Why there is no such package for the distribution of this host. */
async function notForThisHost({ onlyOn }: Props, { root }: NodeEnv): Promise<string | undefined> {
  if (onlyOn === undefined || (await distributionsOf(root)).includes(onlyOn)) return undefined;
  return `it exists for ${onlyOn} only: provide its contents with the image of machines or with spec.hooks`;
}
