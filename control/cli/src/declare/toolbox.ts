import { type Command, Option } from 'commander';
import type { ApiVersion } from '@kopsctl/spec/versions/api-version.ts';
import type { ConvertOptions } from '../commands/convert.ts';
import type { DumpOptions } from '../commands/dump.ts';
import type { EnrollOptions } from '../commands/enroll.ts';
import type { ReEnrollOptions } from '../commands/re-enroll.ts';
import type { RevokeOptions } from '../commands/revoke.ts';
import {
  apiVersionOption,
  countOption,
  filesOption,
  group,
  listOption,
  switchOptions,
  type Declare,
} from './declaring.ts';

/** `toolbox …`. */
export const declareToolbox: Declare = (declaring) => {
  const toolbox = group(declaring.program, 'toolbox', 'look at machines, locks, schemas and specs');
  declareMachines(toolbox, declaring);
  declareEnrolment(toolbox, declaring);
  declareDump(toolbox, declaring);
  declareUnlock(toolbox, declaring);
  declareFiles(toolbox, declaring);
  declareGarbage(toolbox, declaring);
};

type DeclareBelow = (toolbox: Command, declaring: Parameters<Declare>[0]) => void;

/** Machines on this computer. */
const declareMachines: DeclareBelow = (toolbox, { env, run }) => {
  toolbox
    .command('console <machine>')
    .description('print the console log of a local machine')
    .action(
      run(async (global, machine: string) => {
        const { printConsole } = await import('../commands/local-machine.ts');
        return printConsole(global, machine, env);
      }),
    );
  toolbox
    .command('exec <machine> [command...]')
    .description('run a command on a local machine; its own options come after `--`')
    .action(
      run(async (global, machine: string, command: string[]) => {
        const { execOnMachine } = await import('../commands/local-machine.ts');
        return execOnMachine(global, machine, command, env);
      }),
    );
  toolbox
    .command('reboot <machine>')
    .description('reboot a local machine')
    .action(
      run(async (global, machine: string) => {
        const { rebootMachine } = await import('../commands/local-machine.ts');
        return rebootMachine(global, machine, env);
      }),
    );
  toolbox
    .command('terminate <machine>')
    .description('power a local machine off and forget it; apply --yes makes a new one')
    .action(
      run(async (global, machine: string) => {
        const { terminateMachine } = await import('../commands/local-machine.ts');
        return terminateMachine(global, machine, env);
      }),
    );
};

/** Machines that no cloud lists, and what authorities let a machine do. */
const declareEnrolment: DeclareBelow = (toolbox, { env, run }) => {
  toolbox
    .command('enroll [cluster]')
    .description('add a machine that no cloud lists to the cluster, over SSH')
    .option('--cluster <name>', 'the cluster')
    .requiredOption('--instance-group <name>', 'the group that the machine joins')
    .requiredOption('--host <host>', 'where ssh reaches it')
    .option('--address <address>', 'where other machines reach it; by default that of --host')
    .option('--ssh-user <user>', 'root, or a user who may use sudo without a password', 'root')
    .addOption(countOption('--ssh-port <port>', 'the port of its SSH server').default(22))
    // kops enrolls with the API server, and takes these; here the state store has all that is needed.
    .addOption(new Option('--api-server <url>').hideHelp())
    .addOption(new Option('--use-kubeconfig').hideHelp())
    .addOption(listOption('--pod-cidr <cidrs>', '').hideHelp())
    .addOption(new Option('--build-host').hideHelp())
    .action(
      run(async (global, cluster: string | undefined, options: EnrollOptions) => {
        const { enroll } = await import('../commands/enroll.ts');
        return enroll(global, cluster, options, env);
      }),
    );
  toolbox
    .command('revoke <node>')
    .description('shut the machine of a node out of the cluster for good, e.g. when it was stolen')
    .option('--reason <text>', 'the reason, stored with the revocation')
    .option('-y, --yes', 'do it; otherwise it is only shown')
    .action(
      run(async (global, node: string, options: RevokeOptions) => {
        const { revoke } = await import('../commands/revoke.ts');
        return revoke(global, node, options, env);
      }),
    );
  toolbox
    .command('re-enroll <node>')
    .description('permit the machine of a node another key, once, e.g. when its disk was lost')
    .option('--unrevoke', 'undo a revocation')
    .option('-y, --yes', 'do it; otherwise it is only shown')
    .action(
      run(async (global, node: string, options: ReEnrollOptions) => {
        const { reEnroll } = await import('../commands/re-enroll.ts');
        return reEnroll(global, node, options, env);
      }),
    );
};

const declareDump: DeclareBelow = (toolbox, { env, run }) => {
  const dump = toolbox
    .command('dump [cluster]')
    .description(
      'write a folder with what helps to find out what is wrong: spec, plans, reports, objects, logs; no secrets',
    )
    .option('--dir <folder>', 'the folder to create; CLUSTER-dump unless given')
    .addOption(
      countOption('--max-nodes <count>', 'how many machines to gather logs from, control planes first').default(500),
    )
    .addOption(
      new Option('-o, --output <format>', 'print the machines; a folder is made only with --dir').choices([
        'yaml',
        'json',
      ]),
    )
    .option('--private-key <file>', 'read the journals of machines in a cloud over SSH, with this key')
    .option('--ssh-user <user>', 'as this user, who may use sudo without a password (default: ubuntu)')
    .option('--node-dump-timeout <duration>', 'how long one machine may take to send its journal', '1m');
  const parts = [
    ...switchOptions('k8s-resources', 'objects of the cluster: in a bundle unless =false'),
    ...switchOptions('cloud-resources', 'machines and their logs: in a bundle unless =false'),
  ];
  for (const option of parts) dump.addOption(option);
  dump.action(
    run(async (global, cluster: string | undefined, options: DumpOptions) => {
      const { dump } = await import('../commands/dump.ts');
      return dump(global, cluster, options, env);
    }),
  );
};

const declareUnlock: DeclareBelow = (toolbox, { env, run }) => {
  toolbox
    .command('unlock [cluster]')
    .description(
      'break the lock of a cluster, whether its holder has ended or not; not that of a rolling update or upgrade',
    )
    .action(
      run(async (global, name: string | undefined) => {
        const { unlock } = await import('../commands/toolbox.ts');
        return unlock(global, name, env);
      }),
    );
};

/** Files, without a state store or a cloud. */
const declareFiles: DeclareBelow = (toolbox, { whole, env, run }) => {
  toolbox
    .command('schema <kind>')
    .description('print the JSON Schema of a kind, or of files with objects of all kinds, for editors')
    .addOption(apiVersionOption())
    .action(
      run(async (_global, kind: string, options) => {
        const { printSchema } = await import('../commands/toolbox.ts');
        return printSchema(kind, (options as { readonly apiVersion: ApiVersion }).apiVersion);
      }),
    );
  toolbox
    .command('manual')
    .description('write a manual page for every command into a folder')
    .requiredOption('--out <dir>', 'the folder, e.g. /usr/local/share/man/man1')
    .action(
      run(async (_global, { out }: { readonly out: string }) => {
        const { writeManual } = await import('../commands/write-manual.ts');
        return writeManual(await whole(), out);
      }),
    );
  toolbox
    .command('convert')
    .description('print the objects of files in another version of the API')
    .addOption(filesOption('files of objects; - is standard input').makeOptionMandatory())
    .addOption(apiVersionOption())
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['yaml', 'json']).default('yaml'))
    .action(
      run(async (global, options: ConvertOptions) => {
        const { convertFiles } = await import('../commands/convert.ts');
        return convertFiles(global, options, env);
      }),
    );
  toolbox
    .command('lint')
    .description('say what is wrong with objects of files; neither a state store nor a cloud is asked')
    .addOption(filesOption('files of objects; - is standard input').makeOptionMandatory())
    .action(
      run(async (_global, options: { readonly filename: readonly string[] }) => {
        const { lint } = await import('../commands/lint.ts');
        return lint(options, env);
      }),
    );
};

const declareGarbage: DeclareBelow = (toolbox, { env, run }) => {
  toolbox
    .command('gc')
    .description('remove what crashed local clusters left on this computer')
    .action(
      run(async (global) => {
        const { collectGarbage } = await import('../commands/toolbox.ts');
        return collectGarbage(global, env);
      }),
    );
};
