import { expect, test } from 'vitest';
import { explainSubject } from './explain-subject.ts';

const PATH = 'spec.podCIDR';

test.each([
  [['cluster'], { kind: 'Cluster', path: undefined }],
  [['cluster', PATH], { kind: 'Cluster', path: PATH }],
  [[`cluster.${PATH}`], { kind: 'Cluster', path: PATH }],
  [[`clusters.${PATH}`], { kind: 'Cluster', path: PATH }],
  [['ig.spec.role'], { kind: 'InstanceGroup', path: 'spec.role' }],
  [['InstanceGroup.spec.role'], { kind: 'InstanceGroup', path: 'spec.role' }],
  [['sshcredential.spec'], { kind: 'SSHCredential', path: 'spec' }],
  [['cluster', 'demo.example.com'], { kind: 'Cluster', name: 'demo.example.com', path: undefined }],
  [['cluster', 'demo.example.com', PATH], { kind: 'Cluster', name: 'demo.example.com', path: PATH }],
  [[`cluster.${PATH}`, 'demo.example.com'], { kind: 'Cluster', name: 'demo.example.com', path: PATH }],
])('explain %j', ([kind = '', name, path], subject) => {
  expect(explainSubject({ kind, name, path })).toEqual(subject);
});

test.each([
  [['pod'], 'cannot explain pod'],
  [['pod.spec'], 'cannot explain pod'],
  [['host', 'node-1'], 'only values of a Cluster and of an InstanceGroup have an origin'],
])('explain %j is refused', ([kind = '', name], why) => {
  expect(() => explainSubject({ kind, name, path: undefined })).toThrow(why);
});
