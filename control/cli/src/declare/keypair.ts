import type { RotateOptions } from '../commands/keypair-rotate.ts';
import type { CreateKeypairOptions } from '../commands/keypair.ts';
import { ROLL_DEFAULTS } from '../flags/roll-defaults.ts';
import { apiServerOption, assetsOption, group, type Declare } from './declaring.ts';

const KEYSET = 'a keyset, or `all` for every keyset that can be rotated';
/** What a rotation that is continued does where a person does not say it again. */
const KEPT = 'when resumed: as before';

/** `create keypair`, `promote keypair`, `distrust keypair`, `trust keypair`, `keypair rotate`. */
export const declareKeypair: Declare = ({ program, env, run }) => {
  group(program, 'create', 'create objects')
    .command('keypair')
    .argument('<keyset>', KEYSET)
    .description('add a key pair to a keyset: machines trust it, and it signs nothing until it is promoted')
    .option('--cert <file>', 'a certificate to add instead of a new one, in PEM')
    .option('--key <file>', 'its private key in PEM; a certificate without one is only trusted')
    .option('--primary', 'let it sign at once, although no machine trusts it yet')
    .action(
      run(async (global, keyset: string, options: CreateKeypairOptions) => {
        const { createKeypair } = await import('../commands/keypair.ts');
        return createKeypair(global, keyset, options, env);
      }),
    );
  group(program, 'promote', 'let another key pair sign')
    .command('keypair')
    .argument('<keyset>', KEYSET)
    .argument('[id]', 'the newest one by default')
    .description('make a key pair the one that signs')
    .action(
      run(async (global, keyset: string, id: string | undefined) => {
        const { promoteKeypair } = await import('../commands/keypair.ts');
        return promoteKeypair(global, keyset, id, env);
      }),
    );
  group(program, 'distrust', 'distrust key pairs')
    .command('keypair')
    .argument('<keyset>', KEYSET)
    .argument('[ids...]', 'by default, all that are older than the one that signs')
    .description('have machines no longer trust what a key pair has signed')
    .action(
      run(async (global, keyset: string, ids: readonly string[]) => {
        const { distrustKeypair } = await import('../commands/keypair.ts');
        return distrustKeypair(global, keyset, ids, env);
      }),
    );
  group(program, 'trust', 'trust key pairs again')
    .command('keypair')
    .argument('<keyset>')
    .argument('<ids...>')
    .description('have machines trust again what a key pair has signed')
    .action(
      run(async (global, keyset: string, ids: readonly string[]) => {
        const { trustKeypair } = await import('../commands/keypair.ts');
        return trustKeypair(global, keyset, ids, env);
      }),
    );
  group(program, 'keypair', 'exchange key pairs')
    .command('rotate [cluster]')
    .description('exchange all key pairs of a cluster, step by step; continues where it stopped')
    .option('-y, --yes', 'do it; otherwise only say what comes next')
    .option('--no-roll', 'stop where machines must be replaced, and say with which commands')
    .option(
      '--budget <count|percent>',
      `how many machines of all groups together may be missing at once (${ROLL_DEFAULTS.budget}; ${KEPT})`,
    )
    .option(
      '--drain-timeout <duration>',
      `how long pods of a machine may take to leave it (${ROLL_DEFAULTS.drainTimeout}; ${KEPT})`,
    )
    .option(
      '--validation-timeout <duration>',
      `how long the cluster may take to become valid (${ROLL_DEFAULTS.validationTimeout}; ${KEPT})`,
    )
    .addOption(apiServerOption())
    .option('--use-kubeconfig', 'ask the server that the kubeconfig of kubectl names for the cluster')
    .addOption(assetsOption())
    .action(
      run(async (global, name: string | undefined, options: RotateOptions) => {
        const { rotateKeypairs } = await import('../commands/keypair-rotate.ts');
        return rotateKeypairs(global, name, options, env);
      }),
    );
};
