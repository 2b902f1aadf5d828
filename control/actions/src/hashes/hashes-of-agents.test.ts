import { expect, test } from 'vitest';
import { hashesOfAgents } from './hashes-of-agents.ts';

test('a release has the hashes of its own agents, at its own address', () => {
  const [amd64, arm64] = ['a'.repeat(64), 'b'.repeat(64)];
  const folder = 'https://github.com/kopsctl/kopsctl/releases/download/v0.1.0';
  expect([...hashesOfAgents({ amd64, arm64 })]).toEqual([
    [`${folder}/kops-agents-linux-amd64`, amd64],
    [`${folder}/kops-agents-linux-arm64`, arm64],
  ]);
});

test('what was not built by a release has none: hashes are read where the agents are published', () => {
  expect(hashesOfAgents()).toEqual(new Map());
});
