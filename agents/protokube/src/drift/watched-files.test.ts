import { serializePlan } from '@kopsctl/node-plan/plan-document.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { expect, test } from 'vitest';
import { watchedFiles } from './watched-files.ts';

const file = (path: string): Task => ({
  kind: 'File',
  name: path,
  props: { path, mode: '0644', content: { text: '' } },
});

test('the files of a plan are watched, by folder, except those whose paths only the machine knows', () => {
  const plan = serializePlan({
    apiVersion: 'kopsctl.io/v1',
    kind: 'NodePlan',
    cluster: 'demo.example.com',
    instanceGroup: 'nodes',
    role: 'Node',
    kubernetesVersion: '1.36.3',
    tasks: [
      file('/etc/a'),
      file('/etc/b'),
      file('/var/lib/@{nodeName}/c'),
      { kind: 'Directory', name: 'd', props: { path: '/srv/d', mode: '0755' } },
    ],
  });
  expect(watchedFiles(plan, 'the plan')).toEqual(new Map([['/etc', new Set(['a', 'b'])]]));
});
