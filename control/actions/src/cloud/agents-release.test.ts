import { expect, test } from 'vitest';
import { agentsRelease, OWN_RELEASE } from './agents-release.ts';

test('agents are those of the own release unless KOPSCTL_BASE_URL names another place', () => {
  expect(agentsRelease({})).toEqual(OWN_RELEASE);
  expect(agentsRelease({ KOPSCTL_BASE_URL: '' })).toEqual(OWN_RELEASE);
  const named = 'https://files.example.com/kopsctl';
  expect(agentsRelease({ KOPSCTL_BASE_URL: named })).toEqual({ ...OWN_RELEASE, baseUrl: named });
});

test.each(['files.example.com/kopsctl', 's3://bucket/kopsctl', 'https://', 'file:///srv'])(
  '%s is not where machines can download agents',
  (named) => {
    expect(() => agentsRelease({ KOPSCTL_BASE_URL: named })).toThrow(`KOPSCTL_BASE_URL is ${named}`);
  },
);
