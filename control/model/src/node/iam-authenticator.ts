import type { Task } from '@kopsctl/tasks/task.ts';
import { stringify } from 'yaml';
import { serverCertificate } from './certificates.ts';
import { after, nodeTask, textFile } from './node-task.ts';
import { CA_FILE, IAM_AUTHENTICATION_CONFIG, IAM_AUTHENTICATOR_DIR, IAM_AUTHENTICATOR_UID } from './paths.ts';

const USER = 'aws-iam-authenticator';

/** How the API server asks the webhook on its own machine. */
const WEBHOOK = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [
    {
      name: 'aws-iam-authenticator',
      cluster: { 'certificate-authority': CA_FILE, server: 'https://127.0.0.1:21362/authenticate' },
    },
  ],
  users: [{ name: 'kube-apiserver' }],
  contexts: [{ name: 'webhook', context: { cluster: 'aws-iam-authenticator', user: 'kube-apiserver' } }],
  'current-context': 'webhook',
};

/** What the webhook that takes AWS identities for users finds on a machine, and how its API server finds the webhook. */
export function iamAuthenticator(): readonly Task[] {
  const user = nodeTask('User', USER, { name: USER, uid: IAM_AUTHENTICATOR_UID, home: IAM_AUTHENTICATOR_DIR });
  return [
    user,
    serverCertificate({
      name: 'aws-iam-authenticator',
      certificatePath: `${IAM_AUTHENTICATOR_DIR}/cert.pem`,
      keyPath: `${IAM_AUTHENTICATOR_DIR}/key.pem`,
      commonName: 'aws-iam-authenticator',
      dnsNames: ['localhost'],
      ipAddresses: ['127.0.0.1'],
      owner: USER,
      after: after(`User/${USER}`),
    }),
    textFile(IAM_AUTHENTICATION_CONFIG, stringify(WEBHOOK, { lineWidth: 0 })),
  ];
}
