import { SHELLS } from '../completion/scripts.ts';
import { group, type Declare } from './declaring.ts';

/** `completion`, and what its scripts ask. */
export const declareCompletion: Declare = ({ program, run }) => {
  const completion = group(program, 'completion', 'print the script that completes command lines in a shell');
  for (const shell of SHELLS) {
    completion
      .command(shell)
      .description(`print the script for ${shell === 'powershell' ? 'PowerShell' : shell}`)
      .option('--no-descriptions', 'complete words without their descriptions')
      .action(
        run(async (_global, { descriptions }: { readonly descriptions: boolean }) => {
          const { completionScript } = await import('../completion/scripts.ts');
          const { writeOut } = await import('../output/terminal.ts');
          writeOut(completionScript(shell, { withDescriptions: descriptions }));
          return 0;
        }),
      );
  }
};
