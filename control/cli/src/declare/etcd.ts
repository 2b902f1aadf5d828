import type { Command } from 'commander';
import type { EtcdAskOptions } from '../commands/etcd-ask.ts';
import type { EtcdReportOptions } from '../commands/etcd-report.ts';
import { ofCluster } from '../flags/global-options.ts';
import { group, outputOption, type Declare } from './declaring.ts';

/** For commands that only look: all etcd clusters unless one is named. */
const looking = (command: Command) =>
  command.option('--etcd-cluster <name>', 'main, events …; without it all of them').addOption(outputOption());

/** For commands that the managers carry out. */
const asking = (command: Command) =>
  command
    .option('--etcd-cluster <name>', 'main, events …', 'main')
    .option('--wait <duration>', 'how long to wait for the outcome, e.g. 10m', '30m')
    .option('--no-wait', 'leave it to the managers')
    .addOption(outputOption());

/** `etcd …`: all of it works through the state store, so it needs neither the API server nor a way to the machines. */
export const declareEtcd: Declare = ({ program, env, run }) => {
  const etcd = group(program, 'etcd', 'look after the etcd clusters: backups, restores, health');
  looking(etcd.command('status [cluster]').description('show what each manager says about its member')).action(
    run(async (global, cluster: string | undefined, options: EtcdReportOptions) => {
      const { etcdStatus } = await import('../commands/etcd-report.ts');
      return etcdStatus(ofCluster(global, cluster), options, env);
    }),
  );
  looking(
    etcd.command('doctor [cluster]').description('say what is wrong and what to do next; exit 2 on an error'),
  ).action(
    run(async (global, cluster: string | undefined, options: EtcdReportOptions) => {
      const { etcdDoctor } = await import('../commands/etcd-report.ts');
      return etcdDoctor(ofCluster(global, cluster), options, env);
    }),
  );
  looking(
    etcd.command('list-backups [cluster]').description('show the backups, and which of them were verified'),
  ).action(
    run(async (global, cluster: string | undefined, options: EtcdReportOptions) => {
      const { etcdListBackups } = await import('../commands/etcd-list-backups.ts');
      return etcdListBackups(ofCluster(global, cluster), options, env);
    }),
  );
  asking(etcd.command('backup [cluster]').description('back up now')).action(
    run(async (global, cluster: string | undefined, options: EtcdAskOptions) => {
      const { etcdAsk } = await import('../commands/etcd-ask.ts');
      return etcdAsk(ofCluster(global, cluster), { action: 'backup' }, options, env);
    }),
  );
  asking(
    etcd
      .command('verify [backup]')
      .description('restore a backup into a temporary etcd to verify it; the newest by default'),
  ).action(
    run(async (global, backup: string | undefined, options: EtcdAskOptions) => {
      const { etcdAsk } = await import('../commands/etcd-ask.ts');
      return etcdAsk(global, { action: 'verify', ...(backup !== undefined && { backup }) }, options, env);
    }),
  );
  asking(etcd.command('defrag [cluster]').description('make the databases smaller, one member at a time')).action(
    run(async (global, cluster: string | undefined, options: EtcdAskOptions) => {
      const { etcdAsk } = await import('../commands/etcd-ask.ts');
      return etcdAsk(ofCluster(global, cluster), { action: 'defrag' }, options, env);
    }),
  );
  asking(
    etcd
      .command('restore-backup <backup>')
      .description('restore a backup; shows what it would do, and does it with --yes'),
  )
    .option('--dry-run', 'only show what it would do, even with --yes')
    .option('-y, --yes', 'do it')
    .action(
      run(async (global, backup: string, options: EtcdAskOptions & { dryRun?: boolean; yes?: boolean }) => {
        const { etcdRestoreBackup } = await import('../commands/etcd-restore-backup.ts');
        return etcdRestoreBackup(global, backup, options, env);
      }),
    );
};
