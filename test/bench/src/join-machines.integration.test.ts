import { join } from 'node:path';
import { whyNoPeers } from '@kopsctl/test-peers/this-machine.ts';
import { often } from '@kopsctl/test-suite/long.ts';
import { execa } from 'execa';
import { expect, test } from 'vitest';

const reason = whyNoPeers();
if (reason !== undefined) console.log(`SKIPPED: machines that join among attackers: ${reason}`);

/** The marks are those of the bench, apart from seconds: other tests run meanwhile. */
test.skipIf(reason !== undefined)(
  'machines join at once among attackers, with what an authority may take and ask, and none of these for a machine',
  async () => {
    const numbers = [String(often(60, 1000)), String(often(16, 200))];
    const bench = join(import.meta.dirname, 'join-machines.ts');
    const { all } = await execa(process.execPath, [bench, ...numbers], { reject: false, all: true });
    expect(all).toContain('| machines that have not joined | 0 |');
    // The last table: the bench has come to its end.
    expect(all).toContain('| attackers | times called |');
    const missed = all.split('\n').filter((line) => line.includes('MISSED'));
    expect(missed.filter((line) => !line.includes('seconds'))).toEqual([]);
  },
);
