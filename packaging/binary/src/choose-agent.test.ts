import { describe, expect, test } from 'vitest';

import { chooseAgent } from './choose-agent.ts';

describe('the agents in one file', () => {
  test('are selected by the name of the link', () => {
    expect(chooseAgent('protokube', ['--config', 'x'])).toEqual({
      kind: 'agent',
      name: 'protokube',
      argv: ['--config', 'x'],
    });
  });

  test('are selected by the first argument under any other program name', () => {
    expect(chooseAgent('kops-agents', ['etcd-manager', '--help'])).toEqual({
      kind: 'agent',
      name: 'etcd-manager',
      argv: ['--help'],
    });
  });

  test('are selected by the link even if the first argument names another agent', () => {
    expect(chooseAgent('nodeup', ['protokube'])).toMatchObject({ name: 'nodeup', argv: ['protokube'] });
  });

  test('are not started without a name: the usage is printed, or the version on request', () => {
    expect(chooseAgent('kops-agents', []).kind).toBe('usage');
    expect(chooseAgent('kops-agents', ['--version'])).toEqual({ kind: 'version' });
  });
});
