import { expect, test } from 'vitest';
import { fileHandler } from './file.ts';

const props = fileHandler.parse({ path: '/etc/hosts', mode: '0644', content: { text: 'new\n' } });
const same = { isRegular: true, isSame: true, mode: '0644', isOwned: true };

test('File plans nothing for a file that is as wanted', () => {
  expect(fileHandler.plan('hosts', props, same)).toEqual([]);
});

test.each([
  ['is missing', undefined, 'write /etc/hosts (mode 0644)'],
  [
    'is a link',
    { ...same, isRegular: false },
    'write /etc/hosts (mode 0644) in place of something that is not a regular file',
  ],
  ['holds something else', { ...same, isSame: false }, 'write /etc/hosts (mode 0644)'],
  ['has another mode', { ...same, mode: '0600' }, 'change the mode of /etc/hosts'],
  ['belongs to another user', { ...same, isOwned: false }, 'give /etc/hosts to root:root'],
])('a file that %s is written in one step', (_state, actual, summary) => {
  expect(fileHandler.plan('hosts', props, actual)).toEqual([expect.objectContaining({ action: 'write', summary })]);
});

test('a text that differs is shown as a unified diff', () => {
  const texts = { actual: 'old\n', wanted: 'new\n' };
  const [step] = fileHandler.plan('hosts', props, { ...same, isSame: false, texts });
  expect(step?.diff).toContain('-old\n+new\n');
});

test.each([
  ['a path that is not absolute', { path: 'etc/hosts' }],
  ['a path with ..', { path: '/etc/../root/.ssh/authorized_keys' }],
  ['a mode that is not a mode', { mode: '644' }],
  ['content of no known kind', { content: { url: 'http://example.com' } }],
])('%s is refused', (_what, wrong) => {
  expect(() => fileHandler.parse({ path: '/a', mode: '0644', content: { text: '' }, ...wrong })).toThrow(/"path"/);
});
