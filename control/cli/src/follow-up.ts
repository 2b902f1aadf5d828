import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';

export interface FollowUpOptions {
  readonly yes?: boolean;
  readonly offline?: boolean;
  readonly target?: 'direct' | 'terraform' | 'cloudformation' | 'dryrun';
  readonly out?: string;
}

/** The command that makes a cluster that has just been stored, or shows what that takes. */
export interface FollowUp {
  /** Without --yes. */
  readonly argv: readonly string[];
  readonly applies: boolean;
  /** Whether it is run at once: a preview asks the cloud, files need nobody. */
  readonly runs: boolean;
}

/** Local machines are applied, clouds are updated as with kops. @throws ActionableError where --yes asks for too much */
export async function followUpOf(
  { metadata, spec }: Cluster,
  state: string,
  options: FollowUpOptions,
  env: NodeJS.ProcessEnv,
): Promise<FollowUp> {
  const { target, out } = options;
  const verb = spec.cloudProvider === 'local' ? 'apply' : 'update';
  const applies = options.yes === true && target !== 'dryrun';
  const makesFiles = target === 'terraform' || target === 'cloudformation';
  const { buildProgram } = await import('./program.ts');
  const exists = buildProgram(env, { code: 0 }).commands.some((command) => command.name() === verb);
  if (applies && !exists) {
    throw new ActionableError({
      what: `make a cluster of ${spec.cloudProvider}`,
      why: 'this kopsctl only stores clusters of that cloud',
      next: 'leave out --yes',
    });
  }
  return {
    argv: [
      ...(verb === 'apply' ? ['apply', '--name', metadata.name] : ['update', 'cluster', metadata.name]),
      '--state',
      state,
      ...(makesFiles ? ['--target', target] : []),
      ...(out === undefined ? [] : ['--out', out]),
    ],
    applies,
    runs: exists && (applies || makesFiles || options.offline !== true),
  };
}
