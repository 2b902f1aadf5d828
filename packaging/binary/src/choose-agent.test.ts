import { describe, expect, test } from 'vitest';

import { chooseAgent } from './choose-agent.ts';

describe('the agents in one file', () => {
  test('are chosen by the name of the link', () => {
    expect(chooseAgent('protokube', ['--config', 'x'])).toEqual({
      kind: 'agent',
      name: 'protokube',
      argv: ['--config', 'x'],
    });
  });

  test('are chosen by the first argument under any other name', () => {
    expect(chooseAgent('kops-agents', ['etcd-manager', '--help'])).toEqual({
      kind: 'agent',
      name: 'etcd-manager',
      argv: ['--help'],
    });
  });

  test('a link keeps its agent even when the arguments name another', () => {
    expect(chooseAgent('nodeup', ['protokube'])).toMatchObject({ name: 'nodeup', argv: ['protokube'] });
  });

  test('without a name usage is told, and the version on request', () => {
    expect(chooseAgent('kops-agents', []).kind).toBe('usage');
    expect(chooseAgent('kops-agents', ['--version'])).toEqual({ kind: 'version' });
  });
});
