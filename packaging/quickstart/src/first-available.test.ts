import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { NoSourceError } from '@kopsctl/packaging-assets/plan-recipes.ts';
import { expect, test } from 'vitest';
import { firstAvailable } from './first-available.ts';
import type { Candidate } from './wants-of.ts';

const candidate = (kubernetes: string): Candidate => ({ kubernetes, wants: { kubernetes: [kubernetes] } });
const CANDIDATES = [candidate('1.36.3'), candidate('1.35.7'), candidate('1.34.10')] as const;

/** Tries the candidates where making one of them fails as `failures` says. */
async function tried(failures: Readonly<Record<string, Error>>) {
  const [made, log]: [string[], string[]] = [[], []];
  const make = async ({ kubernetes: [version = ''] }: Candidate['wants']): Promise<void> => {
    made.push(version);
    const failure = failures[version];
    if (failure !== undefined) throw failure;
  };
  const chosen = await firstAvailable(CANDIDATES, make, (line) => log.push(line)).catch((error: unknown) => error);
  return { chosen, made, log };
}

const noSource = (minor: string) => new NoSourceError(`kubernetes-${minor}`, ['dl.k8s.io does not answer']);

test('the newest Kubernetes is taken where it can be had', async () => {
  expect(await tried({})).toEqual({ chosen: CANDIDATES[0], made: ['1.36.3'], log: [] });
});

test('the next older one is taken where no source has the newest, and the log says why', async () => {
  expect(await tried({ '1.36.3': noSource('1.36') })).toEqual({
    chosen: CANDIDATES[1],
    made: ['1.36.3', '1.35.7'],
    log: ['Kubernetes 1.35.7 is tried instead of 1.36.3: cannot make kubernetes-1.36: dl.k8s.io does not answer'],
  });
});

test('the failure of the last one is reported', async () => {
  const last = noSource('1.34');
  const { chosen, made } = await tried({ '1.36.3': noSource('1.36'), '1.35.7': noSource('1.35'), '1.34.10': last });
  expect(chosen).toBe(last);
  expect(made).toEqual(['1.36.3', '1.35.7', '1.34.10']);
});

test.each([
  ['a full disk', new ActionableError({ what: 'write', why: 'the disk is full', next: 'make room' })],
  ['another thing without a source', new NoSourceError('etcd-3.6', ['github.com does not answer'])],
])('%s is not answered with an older Kubernetes', async (_, failure) => {
  expect(await tried({ '1.36.3': failure })).toEqual({ chosen: failure, made: ['1.36.3'], log: [] });
});
