import { expect, test } from 'vitest';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { userDataOf } from './user-data.ts';

const group = (additionalUserData: InstanceGroup['spec']['additionalUserData']): InstanceGroup => ({
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'InstanceGroup',
  metadata: { name: 'nodes' },
  spec: { role: 'Node', ...(additionalUserData && { additionalUserData }) },
});

const script = { name: 'mine.sh', type: 'text/x-shellscript', content: '#!/bin/sh\necho mine\n' };

test('User-data is only the boot script if there is nothing else to run', () => {
  expect(userDataOf(group(undefined), '#!/bin/sh\n')).toBe('#!/bin/sh\n');
  expect(userDataOf(group([]), undefined)).toBeUndefined();
});

test('User-data is an archive of all parts with their names and types, boot script first', () => {
  const text = userDataOf(group([script]), '#!/bin/sh\necho boot\n') ?? '';
  const [head = '', ...parts] = text.split(/^--MIMEBOUNDARY(?:--)?\n/m);
  expect(head).toContain('multipart/mixed; boundary="MIMEBOUNDARY"');
  expect(parts.map((part) => /filename="([^"]+)"/.exec(part)?.[1])).toEqual(['nodeup.sh', 'mine.sh', undefined]);
  expect(parts[1]).toMatch(/\n\n#!\/bin\/sh\necho mine\n/);
});

test('User-data of a bastion has the parts of its group, but no boot script', () => {
  expect(userDataOf(group([script]), undefined)).not.toContain('nodeup.sh');
});
