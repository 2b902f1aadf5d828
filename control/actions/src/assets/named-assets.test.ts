import type { NodePlan } from '@kopsctl/node-plan/node-plan.ts';
import { serializePlan } from '@kopsctl/node-plan/plan-document.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { expect, test } from 'vitest';
import { filesOf, imagesOf } from './named-assets.ts';

const PLAN: NodePlan = {
  apiVersion: 'kopsctl.io/v1',
  kind: 'NodePlan',
  cluster: 'demo.example.com',
  instanceGroup: 'nodes',
  role: 'Node',
  kubernetesVersion: '1.36.3',
  tasks: [
    {
      kind: 'Asset',
      name: 'tool',
      props: { urls: ['https://mirror.test/tool', 'https://tool.test/tool'], sha256: 'a' },
    },
    {
      kind: 'File',
      name: 'pod',
      props: { path: '/pod.yaml', content: { text: '  image: registry.test/in-plan:1\n' } },
    },
  ],
};

const written = (content: string): Task => ({
  kind: 'StoreFile',
  name: 'plan',
  props: { path: 'worker-plans/a.json', content },
});
const stored = written(new TextDecoder().decode(serializePlan(PLAN)));

test('files and images of node plans are named by the tasks that write the plans', () => {
  const published = [{ url: 'https://other.test/other', sha256: 'b' }];
  expect(filesOf([stored], published)).toEqual([...published, { url: 'https://tool.test/tool', sha256: 'a' }]);
  const addon = {
    kind: 'StoreFile',
    name: 'addon',
    props: { path: 'addons/a.yaml', content: 'image: registry.test/b' },
  };
  expect(imagesOf([stored, addon])).toEqual(['registry.test/b', 'registry.test/in-plan:1']);
});

test('a plan that nodeup would not read is refused', () => {
  expect(() => filesOf([written('{"tasks":[{}]}')], [])).toThrow('cannot read the node plan worker-plans/a.json');
});
