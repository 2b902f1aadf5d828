import { main } from '../main.ts';
import { type Ended, printed } from './printed.ts';

/** Runs a line as a shell would, in this process: its first word is the program. */
export async function runLine(line: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  const words = [...line.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ''));
  return printed(() => main(words.slice(1), env));
}
