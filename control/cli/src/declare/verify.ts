import { Option } from 'commander';
import type { VerifyOptions } from '../commands/verify.ts';
import type { Declare } from './declaring.ts';

/** `verify`. */
export const declareVerify: Declare = ({ program, run }) => {
  program
    .command('verify <release>')
    .description('check a downloaded release, or one file of it, against its checksums and their signature')
    .requiredOption('--key <file>', 'the public key of those who made the release, in the format of OpenSSH')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'json']).default('text'))
    .action(
      run(async (_global, release: string, options: VerifyOptions) => {
        const { verify } = await import('../commands/verify.ts');
        return verify(release, options);
      }),
    );
};
