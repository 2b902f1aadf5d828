import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { execa } from 'execa';

/** The date of files in packages, in seconds since 1970: SOURCE_DATE_EPOCH (reproducible-builds.org), or the date of the commit. */
export async function sourceDate(env: NodeJS.ProcessEnv, root: string): Promise<number> {
  const given = env['SOURCE_DATE_EPOCH'];
  const text = given ?? (await commitDate(root));
  if (/^\d{1,11}$/.test(text)) return Number(text);
  throw new ActionableError({
    what: 'date the files of the release',
    why:
      given === undefined ? `${root} is not a clone of the project` : `SOURCE_DATE_EPOCH is ${JSON.stringify(given)}`,
    next: 'set SOURCE_DATE_EPOCH to a number of seconds since 1970, the same for every build of these sources',
  });
}

async function commitDate(root: string): Promise<string> {
  const { stdout, failed } = await execa('git', ['log', '-1', '--format=%ct'], { cwd: root, reject: false });
  return failed ? '' : stdout.trim();
}
