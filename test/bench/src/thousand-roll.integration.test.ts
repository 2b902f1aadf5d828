import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { often } from '@kopsctl/test-suite/long.ts';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import type { RollFigures } from './thousand/roll-process.ts';
import { makeMachines, openToy, wantedMachines } from './thousand/toy-machines.ts';

/** A multiple of the rounds: new machines join only once as many are on their way as the budget allows. */
const COUNT = often(200, 1_000);

/** A Node takes ten KiB: a hundred that are kept, or a look at all of them, would be seen. */
const HELD_GROWTH_MIB = 1;
/** With garbage, of which Node collects little while there is memory: the API is in the same process here. */
const RESIDENT_GROWTH_MIB = 100;

test('A large group is rolled in as many rounds as its budget needs, in memory that does not grow', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-thousand-roll-'));
  try {
    await makeMachines(openToy(folder), wantedMachines(COUNT));
    const program = join(import.meta.dirname, 'thousand', 'roll-process.ts');
    const { stdout } = await execa(process.execPath, ['--expose-gc', program, folder, '', String(COUNT)]);
    // Printed by that program.
    const rolled = JSON.parse(stdout) as RollFigures;
    expect(rolled).toMatchObject({ state: 'done', replaced: COUNT });
    expect(rolled.rounds).toBe(Math.ceil(COUNT / rolled.budget));
    const { heapMiB, residentMiB } = rolled;
    expect(residentMiB.atHundred).toBeGreaterThan(0);
    expect(heapMiB.atLast - heapMiB.atHundred).toBeLessThanOrEqual(HELD_GROWTH_MIB);
    expect(residentMiB.atLast - residentMiB.atHundred).toBeLessThan(RESIDENT_GROWTH_MIB);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
