import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { REPOSITORY } from './phases.ts';

/**
 * Keeps what the long run came to, for people who ask how far the tests of this version went. Paths begin at the repository:
 * where it was is nobody's business.
 */
export async function writeResults(lines: readonly string[], commit: string, at: Date): Promise<void> {
  await writeFile(join(REPOSITORY, 'docs/test-results.md'), resultsPage(lines, commit, at, availableParallelism()));
}

function resultsPage(lines: readonly string[], commit: string, at: Date, processors: number): string {
  return `# Results of the long test run

\`npm run test:long\` runs every test of \`npm test\` with larger numbers, and writes this page.

Commit ${commit}, ${at.toISOString().slice(0, 10)}, on ${processors} processors:

\`\`\`
${lines.join('\n').replaceAll(`${REPOSITORY}/`, '')}
\`\`\`
`;
}
