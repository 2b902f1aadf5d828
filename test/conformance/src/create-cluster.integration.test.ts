import { describe, expect, test } from 'vitest';
import { recordedCases } from './recorded-cases.ts';
import { scoreCases } from './score-cases.ts';

const cases = recordedCases('create_cluster');

/** Our mark. What only a cloud can say (the range of a shared network, OpenStack's flavors) is what is missing. */
const LEAST_MEAN = 0.97;
const LEAST_OF_ONE = 0.94;

describe.skipIf(cases.length === 0)('create cluster', () => {
  test('infers what kops infers, and asks no network for it', async () => {
    const { results, mean } = await scoreCases('create_cluster', cases);
    expect(results).toHaveLength(cases.length);
    expect(results.filter(({ score }) => score < LEAST_OF_ONE)).toEqual([]);
    expect(mean).toBeGreaterThanOrEqual(LEAST_MEAN);
  });
});
