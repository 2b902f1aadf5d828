import type { ValidatedCluster } from '@kopsctl/actions/validate-cluster.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { printValidated } from './print-validated.ts';

afterEach(() => void vi.restoreAllMocks());

const VALID: ValidatedCluster = { cluster: 'demo', failures: [], warnings: [], machines: [], nodes: [] };
const INVALID: ValidatedCluster = { ...VALID, failures: [{ kind: 'API', name: 'demo', message: 'no answer' }] };

test.each<[string, ValidatedCluster, number]>([
  ['is valid', VALID, 0],
  ['is not valid', INVALID, 2],
  ['was not valid when a person stopped looking', { ...INVALID, isStopped: true }, 1],
])('The exit code where a cluster %s, which shows what is wrong', async (_what, found, code) => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(await printValidated(found, 'table')).toBe(code);
  expect(String(out.mock.calls[0]?.[0])).toContain(found.failures[0]?.message ?? 'is ready');
});
