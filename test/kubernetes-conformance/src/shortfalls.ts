import { missingFrom } from './subset.ts';

/** How many tests the whole suite has (Kubernetes test/conformance/testdata/conformance.yaml). */
export const TESTS_OF_1_36 = 446;

/** Which tests a run was to have: those of subset.ts, those whose names match a text, or all. */
export type Asked = 'subset' | 'focus' | 'all';

/** Why a run in which no test failed would still prove less than it seems to. */
export function shortfalls(asked: Asked, ran: readonly string[]): readonly string[] {
  if (ran.length === 0) return ['no test ran: no name matches'];
  switch (asked) {
    case 'subset':
      return missingFrom(ran).map((name) => `this Kubernetes has no test of that name: ${name}`);
    case 'focus':
      return [];
    case 'all':
      return ran.length === TESTS_OF_1_36
        ? []
        : [`${String(ran.length)} tests ran, and the suite has ${String(TESTS_OF_1_36)}`];
  }
}
