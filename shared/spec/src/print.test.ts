import { expect, it } from 'vitest';
import { parseObjects } from './parse.ts';
import { printObject, printObjects } from './print.ts';

const cluster = {
  kind: 'Cluster',
  apiVersion: 'kops.k8s.io/v1alpha2',
  spec: {
    sshAccess: ['0.0.0.0/0'],
    kubernetesVersion: '1.20.2',
    channel: 'yes',
    rollingUpdate: { maxSurge: '012' },
    cloudLabels: {},
  },
  metadata: { name: 'demo.example.com', annotations: { long: `${'word '.repeat(40)}end`, lines: 'a\nb\n' } },
};

it('prints keys in order, lists without indentation and quotes what older YAML would misread', () => {
  expect(printObject({ b: ['x', { d: 1, c: 'on' }], a: '1.20', e: 1.5 })).toBe(
    'a: "1.20"\nb:\n- x\n- c: "on"\n  d: 1\ne: 1.5\n',
  );
});

it('prints what it reads', () => {
  const text = printObjects([cluster, cluster]);
  const { objects, errors } = parseObjects(text, 'demo.yaml');
  expect(errors).toEqual([]);
  expect(objects.map(({ value }) => value)).toEqual([cluster, cluster]);
});

it('breaks long texts where kops does', () => {
  const policy = '[ { "Action": [ "s3:GetObject" ], "Resource": [ "*" ], "Effect": "Allow" } ]';
  expect(
    printObject({ a: { master: policy, list: [`it's ${'word '.repeat(20)}end`], lines: `a\n${policy} ${policy}` } }),
  ).toBe(
    [
      'a:',
      `  lines: |-`,
      `    a`,
      `    ${policy} ${policy}`,
      '  list:',
      `  - it's word word word word word word word word word word word word word word word`,
      '    word word word word word end',
      `  master: '[ { "Action": [ "s3:GetObject" ], "Resource": [ "*" ], "Effect": "Allow"`,
      `    } ]'`,
      '',
    ].join('\n'),
  );
});
