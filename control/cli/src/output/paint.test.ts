import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import {
  paintDiff,
  paintExplanation,
  paintOutdated,
  paintPlan,
  paintTable,
  paintValidation,
  progressBar,
} from './paint.ts';

test('a plan on a terminal has marks and colours, and says the same', () => {
  const plan = 'Will create:\n  Thing/a\n    set a\n\nWill modify:\n  Thing/b\n    set b\n      -old\n      +new\n';
  const painted = paintPlan(plan);
  expect(painted).not.toBe(plan);
  expect(stripVTControlCharacters(painted)).toBe(
    plan.replace('  Thing/a', '+ Thing/a').replace('  Thing/b', '~ Thing/b'),
  );
});

test.each([
  [{ done: 0, total: 4, what: 'tasks', elapsedMs: 100 }, '░░░░░░░░░░░░░░░░░░░░░░░░ 0/4 tasks'],
  [{ done: 2, total: 4, what: 'tasks', elapsedMs: 3000 }, '████████████░░░░░░░░░░░░ 2/4 tasks, about 3 s left'],
  [{ done: 4, total: 4, what: 'machines', elapsedMs: 9000 }, '████████████████████████ 4/4 machines'],
])('%j is a bar', (progress, bar) => {
  expect(progressBar(progress)).toBe(bar);
});

const [RED, GREEN, YELLOW, BOLD] = [31, 32, 33, 1].map((code) => `\u001b[${code}m`);

test.each([
  [
    'a diff',
    paintDiff,
    '--- a\n+++ a\n@@ -1 +1 @@\n-old\n+new\n same\n',
    [`${BOLD}--- a`, `${RED}-old`, `${GREEN}+new`, '\n same'],
  ],
  [
    'a table of nodes',
    paintTable,
    'NODE  STATUS    BOOT\na     Ready     20 tasks in 31 s\nb     NotReady  failed, 1 of 20 tasks\n',
    [`${GREEN}Ready`, `${RED}NotReady`, `${GREEN}20 tasks in 31 s`, `${RED}failed, 1 of 20 tasks`, '\na '],
  ],
  ['a table of instances', paintTable, 'ID   STATUS\ni-1  NeedsUpdate\n', [`${YELLOW}NeedsUpdate`]],
  ['a valid cluster', paintValidation, 'Your cluster x is ready\n', [`${GREEN}Your cluster x is ready`]],
  ['what is wrong', paintValidation, 'KIND  NAME\nNode  a\n', [`${BOLD}KIND`, `${RED}Node`]],
  [
    'an explanation',
    paintExplanation,
    'Node a: machine running, boot failed, no Node\nthe disk is full\n  df says so\n  Next: make room\n',
    [
      `${GREEN}machine running`,
      `${RED}boot failed`,
      `${RED}no Node`,
      `${RED}the disk is full`,
      '\n  df says so',
      `${BOLD}Next:`,
    ],
  ],
  [
    'a node without a fault',
    paintExplanation,
    'Node a: Ready\nnothing is wrong with a\n',
    [`${GREEN}Ready`, `${GREEN}nothing is wrong`],
  ],
  [
    'outdated machines',
    paintOutdated,
    'NAME   STATUS       NEEDUPDATE\nnodes  NeedsUpdate  1\nother  Ready        0\nnodes-1: another plan\n',
    [`${YELLOW}NeedsUpdate`, `${GREEN}Ready`, `${YELLOW}nodes-1`],
  ],
])('%s has colours, and says the same', (_what, paint, text, marked) => {
  const painted = paint(text);
  expect(stripVTControlCharacters(painted)).toBe(text);
  for (const one of marked) expect(painted).toContain(one);
});
