import { googleToken } from '@kopsctl/state-store/gcs/gcs-token.ts';

/**
 * Prints the token that Google's own library finds, or `nobody` where it finds no credentials. A program of its own, because
 * what the library looks at are the environment and the files of a process.
 */
try {
  process.stdout.write(`${await googleToken('https://www.googleapis.com/auth/cloud-platform')(undefined)}\n`);
} catch (error) {
  if (!(error instanceof Error) || !error.message.includes('Could not load the default credentials')) throw error;
  process.stdout.write('nobody\n');
}
