import { vi } from 'vitest';
import { main } from '../main.ts';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a line as a shell would, in this process: its first word is the program. */
export async function runLine(line: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  const words = [...line.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ''));
  const [out, err]: [string[], string[]] = [[], []];
  const spies = [
    // oxlint-disable-next-line no-restricted-properties -- what is printed is caught here
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0),
    // oxlint-disable-next-line no-restricted-properties -- the same
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => err.push(String(text)) > 0),
  ];
  try {
    const code = await main(words.slice(1), env);
    return { code, stdout: out.join(''), stderr: err.join('') };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
