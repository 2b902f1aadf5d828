import { expect, test } from 'vitest';
import { projectOf } from './gcloud-project.ts';

test.each([
  ['[core]\naccount = a@example.com\nproject = mine\n\n[compute]\nzone = x\n', 'mine'],
  ['[compute]\nproject = other\n[core]\naccount = a\n', undefined],
  ['', undefined],
])('the project of %j is %s', (properties, project) => {
  expect(projectOf(properties)).toBe(project);
});
