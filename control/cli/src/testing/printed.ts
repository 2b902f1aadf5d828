import { vi } from 'vitest';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Catches what is printed until an exit code is known. */
export async function printed(print: () => number | Promise<number>): Promise<Ended> {
  const [out, err]: [string[], string[]] = [[], []];
  const spies = [
    // oxlint-disable-next-line no-restricted-properties -- what is printed is caught here
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0),
    // oxlint-disable-next-line no-restricted-properties -- the same
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => err.push(String(text)) > 0),
  ];
  try {
    const code = await print();
    return { code, stdout: out.join(''), stderr: err.join('') };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
