import type { RotatedKeypairs } from '@kopsctl/actions/rotate-keypairs.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { printRotated } from './print-rotated.ts';

afterEach(() => void vi.restoreAllMocks());

const WAITING: RotatedKeypairs = { cluster: 'demo', phase: 'refresh-tokens', next: { action: 'wait', untilMs: 0 } };

/** The last line of what is printed: the command that goes on. */
function commandAfter(rolls: boolean): string | undefined {
  const said: string[] = [];
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  expect(printRotated({ verbosity: 0 }, WAITING, { yes: true, rolls })).toBe(2);
  out.mockRestore();
  return said.join('').trimEnd().split('\n').at(-1)?.trim();
}

test('A rotation goes on with the same command', () => {
  expect(commandAfter(true)).toBe('kopsctl keypair rotate demo --yes');
});

test('A rotation that leaves machines to the person still does when it goes on', () => {
  expect(commandAfter(false)).toBe('kopsctl keypair rotate demo --yes --no-roll');
});
