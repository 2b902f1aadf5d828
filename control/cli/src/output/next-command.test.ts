import { expect, test } from 'vitest';
import { nextCommand, withState } from './next-command.ts';

test('A proposed command names the state store where the person gave it by --state', () => {
  expect(nextCommand({ stateFlag: 'file:///s' }, ['edit', 'cluster', 'a'])).toBe(
    'kopsctl edit cluster a --state file:///s',
  );
  expect(nextCommand({}, ['edit', 'cluster', 'a'])).toBe('kopsctl edit cluster a');
});

test.each([
  ['run `kopsctl apply --yes` again', 'run `kopsctl apply --yes --state file:///s` again'],
  ['`kopsctl get ig`, or `kopsctl plan`', '`kopsctl get ig --state file:///s`, or `kopsctl plan --state file:///s`'],
  ['`kopsctl toolbox schema Cluster` lists all', '`kopsctl toolbox schema Cluster` lists all'],
  ['`kopsctl apply p --state file:///t`', '`kopsctl apply p --state file:///t`'],
  ['look at `journalctl -u kubelet`', 'look at `journalctl -u kubelet`'],
])('%s', (sentence, expected) => {
  expect(withState(sentence, 'file:///s')).toBe(expected);
  expect(withState(sentence, undefined)).toBe(sentence);
});
