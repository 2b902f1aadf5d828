import type { Command } from 'commander';
import type { EditOptions } from '../commands/edit.ts';
import type { ReplaceOptions } from '../commands/replace.ts';
import { refuseOtherNames } from '../flags/global-options.ts';
import { group, listOption, repeatedOption, type Declare, filesOption } from './declaring.ts';

const DRY_RUN = ['--dry-run', 'show the change, store nothing'] as const;

const withSettings = (command: Command): Command => {
  return command
    .addOption(repeatedOption('--set <path=value>', 'change a field instead of opening an editor'))
    .addOption(listOption('--unset <paths>', 'remove fields instead of opening an editor'))
    .option(...DRY_RUN);
};

/** `edit`, and kops's `set` and `unset`, which are the same without an editor. */
export const declareEdit: Declare = ({ program, env, run }) => {
  const edit = group(program, 'edit', 'change an object in your editor, or by --set and --unset');
  withSettings(edit.command('cluster [cluster]').description('change the Cluster')).action(
    run(async (global, name: string | undefined, options: EditOptions) => {
      const { editObject } = await import('../commands/edit.ts');
      return editObject(global, 'Cluster', name, options, env);
    }),
  );
  withSettings(
    edit.command('instancegroup <name>').aliases(['instancegroups', 'ig']).description('change an instance group'),
  ).action(
    run(async (global, name: string, options: EditOptions) => {
      const { editObject } = await import('../commands/edit.ts');
      return editObject(global, 'InstanceGroup', name, options, env);
    }),
  );

  for (const verb of ['set', 'unset'] as const) {
    const what = verb === 'set' ? 'path=value, e.g. spec.kubernetesVersion=1.35.0' : 'path, e.g. spec.sshAccess';
    const command = group(program, verb, verb === 'set' ? 'set fields of an object' : 'remove fields of an object');
    command
      .command('cluster')
      .description(`${verb} fields of the Cluster`)
      .argument('<fields...>', `${what}; the cluster's name may come first`)
      .option(...DRY_RUN)
      .action(
        run(async (global, words: readonly string[], { dryRun }: EditOptions) => {
          const { editObject } = await import('../commands/edit.ts');
          const [first = '', ...rest] = words;
          const named = !/^(cluster\.)?spec\b/.test(first);
          const fields = named ? rest : words;
          if (named) refuseOtherNames(global, [first]);
          return editObject(global, 'Cluster', named ? first : undefined, { [verb]: fields, dryRun }, env);
        }),
      );
    command
      .command('instancegroup')
      .description(`${verb} fields of an instance group`)
      .aliases(['instancegroups', 'ig'])
      .argument('<name>')
      .argument('<fields...>', what)
      .option(...DRY_RUN)
      .action(
        run(async (global, name: string, fields: readonly string[], { dryRun }: EditOptions) => {
          const { editObject } = await import('../commands/edit.ts');
          return editObject(global, 'InstanceGroup', name, { [verb]: fields, dryRun }, env);
        }),
      );
  }
};

/** `replace -f`. */
export const declareReplace: Declare = ({ program, env, run }) => {
  program
    .command('replace')
    .description('replace stored objects with those in files')
    .addOption(filesOption('objects to write; - is standard input').makeOptionMandatory())
    .option('--force', 'also create what does not exist yet')
    .option('--dry-run', 'show what would be different, store nothing')
    .action(
      run(async (global, options: ReplaceOptions) => {
        const { replaceFromFiles } = await import('../commands/replace.ts');
        return replaceFromFiles(global, options, env);
      }),
    );
};
