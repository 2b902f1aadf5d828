import { expect, test } from 'vitest';
import { lastFailure } from './launch-failures.ts';

/** As EC2 Auto Scaling describes them (docs.aws.amazon.com, "Troubleshoot issues in Amazon EC2 Auto Scaling"). */
const FAILED = {
  Description:
    'Launching a new EC2 instance.  Status Reason: You have requested more vCPU capacity than your limit allows.',
  StatusCode: 'Failed',
  StatusMessage:
    'You have requested more vCPU capacity than your current vCPU limit of 32 allows. Launching EC2 instance failed.',
} as const;
const LAUNCHED = { Description: 'Launching a new EC2 instance: i-1', StatusCode: 'Successful' } as const;
const ENDED = { Description: 'Terminating EC2 instance: i-0', StatusCode: 'Successful' } as const;
const UNDER_WAY = { Description: 'Launching a new EC2 instance: i-2', StatusCode: 'PreInService' } as const;

test('the last start of a machine counts, whatever was ended since', () => {
  expect(lastFailure([ENDED, FAILED, LAUNCHED])).toMatch(/^You have requested more vCPU capacity/);
  expect(lastFailure([LAUNCHED, FAILED])).toBe(undefined);
  expect(lastFailure([UNDER_WAY, FAILED])).toBe(undefined);
  expect(lastFailure([ENDED])).toBe(undefined);
  expect(lastFailure([])).toBe(undefined);
});
