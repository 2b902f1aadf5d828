/** What one run of vitest came to. */
export interface Tally {
  readonly passed: number;
  readonly failed: readonly Failure[];
  /** Tests and whole files, by name. */
  readonly skipped: readonly string[];
}

export interface Failure {
  /** Of the test, or of the whole file. */
  readonly name: string;
  /** What it threw: many lines. */
  readonly why: string;
}

/** As vitest's JSON reporter writes it, of which no more is parsed than is used. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    /** What kept the file from being read, otherwise empty. */
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/** Counts what vitest reported. A file of which no test ran counts as skipped, however few tests it says that it has. */
export function tally(report: unknown, repository: string): Tally {
  if (!isReport(report)) throw new Error('what vitest wrote is not a report of its tests');
  const failed: Failure[] = [];
  const skipped: string[] = [];
  let passed = 0;
  for (const { name, status, message = '', assertionResults } of report.testResults) {
    const file = name.replace(`${repository}/`, '');
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) {
      failed.push({ name: file, why: message });
    } else if (assertionResults.length === 0) skipped.push(file);
    for (const test of assertionResults) {
      const title = `${file} > ${test.fullName}`;
      if (test.status === 'passed') passed += 1;
      else if (test.status === 'failed') failed.push({ name: title, why: (test.failureMessages ?? []).join('\n') });
      else skipped.push(title);
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
