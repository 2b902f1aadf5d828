import { describe, expect, test } from 'vitest';
import { recordedCases } from './recorded-cases.ts';
import { scoreCases } from './score-cases.ts';

const cases = recordedCases('create_cluster');

/**
 * The target. Only values that a cloud must provide (the range of a shared network, OpenStack's flavors) may be
 * missing.
 */
const LEAST_MEAN = 0.99;
const LEAST_OF_ONE = 0.95;

describe('create cluster', () => {
  test('infers the same values as kops, without using a network', async () => {
    const { results, mean } = await scoreCases('create_cluster', cases);
    expect(results).toHaveLength(cases.length);
    expect(results.filter(({ score }) => score < LEAST_OF_ONE)).toEqual([]);
    expect(mean).toBeGreaterThanOrEqual(LEAST_MEAN);
  });
});
