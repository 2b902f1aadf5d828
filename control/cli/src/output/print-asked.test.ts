import { afterEach, expect, test, vi } from 'vitest';
import { printAsked } from './print-asked.ts';

afterEach(() => void vi.restoreAllMocks());

/** What is printed of a command that is left to the managers. */
async function printedAs(output: 'table' | 'json' | 'yaml'): Promise<string> {
  const said: string[] = [];
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  const code = await printAsked({ verbosity: 0 }, { etcdCluster: 'main', command: '2026-000001' }, output);
  expect(code).toBe(0);
  return said.join('');
}

test('A person gets the name of the command', async () => {
  expect(await printedAs('table')).toBe('2026-000001\n');
});

test('A program gets a document, as with an outcome', async () => {
  expect(JSON.parse(await printedAs('json'))).toEqual({ command: '2026-000001' });
  expect(await printedAs('yaml')).toBe('command: 2026-000001\n');
});
