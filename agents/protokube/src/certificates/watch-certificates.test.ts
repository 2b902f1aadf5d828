import { serializePlan } from '@kopsctl/node-plan/plan-document.ts';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import { expect, test } from 'vitest';
import { presentedCertificates } from './presented-certificates.ts';
import { certificateState } from './watch-certificates.ts';

const DAY_MS = 24 * 60 * 60_000;
const NOW_MS = Date.parse('2026-05-01T12:00:00Z');

test('the certificates of a machine are those of its plan, and those that authorities sign for its kubelet', () => {
  const certificate = { signer: 'kubernetes-ca', commonName: 'a', usages: ['server'], validityDays: 365 };
  const plan = serializePlan({
    apiVersion: 'kopsctl.io/v1',
    kind: 'NodePlan',
    cluster: 'demo.example.com',
    instanceGroup: 'nodes',
    role: 'Node',
    kubernetesVersion: '1.36.3',
    tasks: [
      { kind: 'File', name: 'a', props: { path: '/etc/a', mode: '0644', content: { text: '' } } },
      {
        kind: 'Certificate',
        name: 'kube-apiserver',
        props: { ...certificate, certificatePath: '/srv/a.crt', keyPath: '/srv/a.key' },
      },
    ],
  });
  const kubelet = { ca: '/ca.crt', client: '/pki/client', serving: '/pki/serving', restartsForServing: true };
  const identity = { port: 1, authorityCa: '', machineKey: '', kubelet, secrets: [], authorities: [], bootReport: '' };
  expect(presentedCertificates(plan, 'the plan', identity)).toEqual(
    new Map([
      ['kubelet-client', '/pki/client.crt'],
      ['kubelet-serving', '/pki/serving.crt'],
      ['kube-apiserver', '/srv/a.crt'],
    ]),
  );
  expect(presentedCertificates(undefined, '', undefined)).toEqual(new Map());
});

test('the end of a certificate is told, and why it was not renewed once that is due', async () => {
  const authority = await createCertificateAuthority({ commonName: 'kubernetes-ca', nowMs: NOW_MS });
  const { certificatePem } = await issueLeaf({
    authority,
    commonName: 'system:node:a',
    usages: ['client'],
    validityDays: 90,
    nowMs: NOW_MS,
  });
  const pem = Buffer.from(certificatePem);
  const notAfter = '2026-07-30T12:00:00.000Z';
  expect(certificateState(pem, undefined, NOW_MS)).toEqual({ notAfter });
  expect(certificateState(pem, 'refused', NOW_MS)).toEqual({ notAfter });
  const renewalFailure = 'refused';
  expect(certificateState(pem, renewalFailure, NOW_MS + 61 * DAY_MS)).toEqual({ notAfter, renewalFailure });
});

test('of what is not a certificate nothing is told', () => {
  expect(certificateState(undefined, undefined, NOW_MS)).toBeUndefined();
  expect(certificateState(Buffer.from('-----BEGIN'), undefined, NOW_MS)).toBeUndefined();
});
