import type { ClusterFindings } from '@kopsctl/actions/validate/compare-cluster.ts';
import { expect, test } from 'vitest';
import { validationDocument, validationText } from './validation-document.ts';

const FOUND: ClusterFindings & { cluster: string } = {
  cluster: 'demo.example.com',
  failures: [
    { kind: 'InstanceGroup', name: 'nodes', message: 'has 1 of 2 machines', instanceGroup: 'nodes' },
    { kind: 'Etcd', name: 'main/b', message: 'does not answer' },
  ],
  warnings: [],
  machines: [{ nodeName: 'w', instanceGroup: 'nodes', role: 'Node', running: true }],
  nodes: [
    { name: 'w', machineId: undefined, zone: 'a', hostname: 'w', conditions: [{ type: 'Ready', status: 'True' }] },
    { name: 'former', machineId: undefined, conditions: [] },
  ],
};

test("the document has the fields of kops's, and names the group of a failure where kops does", () => {
  expect(validationDocument(FOUND)).toEqual({
    cluster: 'demo.example.com',
    valid: false,
    failures: [
      {
        type: 'InstanceGroup',
        name: 'nodes',
        message: 'has 1 of 2 machines',
        instanceGroup: { metadata: { name: 'nodes' } },
      },
      { type: 'Etcd', name: 'main/b', message: 'does not answer' },
    ],
    warnings: [],
    nodes: [{ name: 'w', zone: 'a', role: 'node', hostname: 'w', status: 'True' }],
  });
});

test('the text lists what is wrong, a line each', () => {
  expect(validationText(validationDocument(FOUND))).toBe(
    [
      'KIND           NAME    MESSAGE',
      'InstanceGroup  nodes   has 1 of 2 machines',
      'Etcd           main/b  does not answer',
      '',
    ].join('\n'),
  );
  expect(validationText(validationDocument({ ...FOUND, failures: [] }))).toBe(
    'Your cluster demo.example.com is ready\n',
  );
});
