import { readFile } from 'node:fs/promises';

import { ifThere } from '@kopsctl/files/if-there.ts';
import type { z } from 'zod';

/**
 * What a file in the cache says, which this program wrote as JSON. One that is broken, or that a release with other fields
 * wrote, counts as absent: what it tells of is found or made again.
 */
export async function readNote<T>(file: string, shape: z.ZodType<T>): Promise<T | undefined> {
  const text = await ifThere(readFile(file, 'utf8'));
  return text === undefined ? undefined : shape.safeParse(parsed(text)).data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
