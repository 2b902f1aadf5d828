import { spawn } from 'node:child_process';
import type { OpenEditor } from '@kopsctl/actions/spec/edit-by-hand.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

/** The person's editor, which may be a command with options of its own. */
export function openEditor(env: NodeJS.ProcessEnv): OpenEditor {
  const named = [env['KUBE_EDITOR'], env['EDITOR'], env['VISUAL']].find((one) => one !== undefined && one !== '');
  if (named === undefined && !process.stdin.isTTY) {
    throw new ActionableError({
      what: 'open an editor',
      why: 'there is no terminal, and EDITOR names none',
      next: 'change fields with --set path=value and --unset path',
    });
  }
  const editor = named ?? 'vi';
  return (file) =>
    new Promise((resolve, reject) => {
      const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit', env });
      const fail = (why: string) =>
        reject(
          new ActionableError({
            what: `edit with '${editor}'`,
            why,
            next: 'name an editor with EDITOR, or change fields with --set path=value',
          }),
        );
      child.once('error', (error) => fail(error.message));
      child.once('exit', (code, signal) => (code === 0 ? resolve() : fail(`it ended with ${signal ?? code}`)));
    });
}
