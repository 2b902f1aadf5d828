import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';

/** What a file holds; `-` is standard input. */
export const readInput = (file: string): Promise<Buffer> => (file === '-' ? buffer(process.stdin) : readFile(file));
