import type { TaskEvent } from '@kopsctl/tasks/event.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { array, assert, constantFrom, property } from 'fast-check';
import { expect, test } from 'vitest';
import { parseBootConfig, printBootConfig } from './boot-config.ts';
import { bootReport, printBootReport } from './boot-report.ts';
import { escapeFacts } from './escape.ts';
import type { NodePlan } from './node-plan.ts';
import { parsePlan, serializePlan } from './plan-document.ts';
import { planHash, planPath } from './plan-hash.ts';
import { renderTasks, usesFact } from './render.ts';

const facts = { instanceId: 'i-1', nodeName: 'node-1', address: '10.0.0.7', zone: 'a' };
const file = (text: string): Task => ({
  kind: 'File',
  name: 'f',
  props: { path: '/f', content: { text }, mode: '0644' },
});
const plan: NodePlan = {
  apiVersion: 'kopsctl.io/v1',
  kind: 'NodePlan',
  cluster: 'demo.example.com',
  instanceGroup: 'nodes',
  role: 'Node',
  kubernetesVersion: '1.20.2',
  tasks: [file('x')],
};

test('facts are filled in, and a doubled @ stands for itself', () => {
  expect(renderTasks([file('--node-ip=@{address} @@{address} @{zone}@{nodeName} a@b {x}')], facts)).toEqual([
    file('--node-ip=10.0.0.7 @{address} anode-1 a@b {x}'),
  ]);
});

test('an unknown or broken token is an error that names its task and path', () => {
  expect(() => renderTasks([file('@{adress} @{zone')], facts)).toThrow(
    "cannot fill this node's facts into its plan: unknown facts: File/f content.text: @{adress}; File/f content.text: @{zone",
  );
});

test('any text comes through a plan unchanged when it is escaped', () => {
  const texts = array(constantFrom('@', '{', '}', 'address', 'x', '\n')).map((parts) => parts.join(''));
  assert(
    property(texts, (text) => {
      expect(renderTasks([file(escapeFacts(text))], facts)).toEqual([file(text)]);
    }),
  );
});

test('equal plans have equal bytes and come back equal', () => {
  const { tasks, ...rest } = plan;
  const bytes = serializePlan(plan);
  expect(serializePlan({ tasks, ...rest })).toEqual(bytes);
  expect(parsePlan(bytes, 'plan.json')).toEqual(plan);
  expect(planPath(plan.cluster, 'node-plans', planHash(bytes))).toMatch(
    /^demo\.example\.com\/node-plans\/[0-9a-f]{64}\.json$/,
  );
});

test('a broken plan is refused with everything that is wrong with it', () => {
  const broken = { ...plan, apiVersion: 'v2', role: 'Master', tasks: [{ kind: 'File', props: [] }, 7] };
  expect(() => parsePlan(new TextEncoder().encode(JSON.stringify(broken)), 'file:///s/plan.json')).toThrow(
    'cannot read the node plan file:///s/plan.json: apiVersion: expected kopsctl.io/v1, found "v2"; ' +
      'role: expected one of ControlPlane, Node, Bastion, APIServer, found "Master"; tasks[0].name: expected a string, found nothing; ' +
      'tasks[0].props: expected an object, found []; tasks[1]: expected an object, found 7',
  );
  expect(() => parsePlan(Uint8Array.of(123, 34), 'cut.json')).toThrow(
    'cannot read the node plan cut.json: it is not JSON',
  );
});

test('a boot configuration comes back as it was printed, and a broken one is refused', () => {
  const config = {
    cloud: 'local',
    stateStore: 'file:///s',
    cluster: 'c',
    instanceGroup: 'nodes',
    planFolder: 'worker-plans' as const,
    planHash: 'a'.repeat(64),
  };
  expect(parseBootConfig(printBootConfig(config))).toEqual(config);
  const through = { ...config, planThroughAuthority: { port: 3987, machineKey: '/key' } };
  expect(parseBootConfig(printBootConfig(through))).toEqual(through);
  expect(() => parseBootConfig(JSON.stringify({ ...config, planThroughAuthority: { port: '3987' } }))).toThrow(
    'planThroughAuthority: expected port and machineKey, found {"port":"3987"}',
  );
  expect(() => parseBootConfig(JSON.stringify({ ...config, cloud: undefined, planHash: 'xyz' }))).toThrow(
    'cannot read the boot configuration /etc/kops/boot.json: cloud: expected a string, found nothing; ' +
      'planHash: expected 64 hex digits, found "xyz"',
  );
});

test('a boot report tells each task and holds no properties', () => {
  const task = 'File/f';
  const step = { action: 'write', summary: 'write /f', diff: '+secret' };
  const events: TaskEvent[] = [
    { type: 'run-started', atMs: 1000, tasks: [task] },
    { type: 'task-started', atMs: 1000, task, attempt: 1 },
    { type: 'task-planned', atMs: 1001, task, steps: [step] },
    { type: 'step-applied', atMs: 1002, task, step },
    { type: 'task-failed', atMs: 1500, task, error: 'cannot write /f: the disk is full', next: 'df -h', attempts: 1 },
  ];
  expect(bootReport({ node: 'node-1', planHash: 'h', events }).result).toBe('running');
  events.push({ type: 'run-finished', atMs: 1500, changed: 0, failed: 1 });
  expect(printBootReport(bootReport({ node: 'node-1', planHash: 'h', events }))).toMatchInlineSnapshot(`
    "{
      "apiVersion": "kopsctl.io/v1",
      "finishedAt": "1970-01-01T00:00:01.500Z",
      "kind": "BootReport",
      "node": "node-1",
      "planHash": "h",
      "result": "failed",
      "startedAt": "1970-01-01T00:00:01.000Z",
      "tasks": [
        {
          "attempts": 1,
          "durationMs": 500,
          "error": "cannot write /f: the disk is full",
          "hint": "df -h",
          "result": "failed",
          "startedAt": "1970-01-01T00:00:01.000Z",
          "task": "File/f"
        }
      ]
    }
    "
  `);
});

test('a fact is used where a builder wrote it, not where a person did', () => {
  expect(usesFact([file('maxPods: @{podLimit}')], 'podLimit')).toBe(true);
  expect(usesFact([file(escapeFacts('maxPods: @{podLimit}'))], 'podLimit')).toBe(false);
});
