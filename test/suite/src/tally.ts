/** What one run of vitest came to. */
export interface Tally {
  readonly passed: number;
  /** Tests and whole files, by name. */
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
}

/** As vitest's JSON reporter writes it, of which no more is parsed than is used. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Counts what vitest reported. A file of which no test ran counts as skipped, however few tests it says that it has. */
export function tally(report: unknown, repository: string): Tally {
  if (!isReport(report)) throw new Error('what vitest wrote is no report of its tests');
  const failed: string[] = [];
  const skipped: string[] = [];
  let passed = 0;
  for (const { name, status, assertionResults } of report.testResults) {
    const file = name.replace(`${repository}/`, '');
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) failed.push(file);
    else if (assertionResults.length === 0) skipped.push(file);
    for (const test of assertionResults) {
      if (test.status === 'passed') passed += 1;
      else (test.status === 'failed' ? failed : skipped).push(`${file} > ${test.fullName}`);
    }
  }
  return { passed, failed, skipped };
}

function isReport(value: unknown): value is Report {
  if (!has(value, 'testResults') || !Array.isArray(value.testResults)) return false;
  return value.testResults.every(
    (file: unknown) =>
      has(file, 'name') &&
      typeof file.name === 'string' &&
      has(file, 'status') &&
      has(file, 'assertionResults') &&
      Array.isArray(file.assertionResults) &&
      file.assertionResults.every((test: unknown) => has(test, 'status') && has(test, 'fullName')),
  );
}

function has<Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> {
  return typeof value === 'object' && value !== null && name in value;
}
