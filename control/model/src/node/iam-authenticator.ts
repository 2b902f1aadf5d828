import type { Task } from '@kopsctl/tasks/task.ts';
import { serverCertificate } from './certificates.ts';
import { kubeconfigText } from './kubeconfigs.ts';
import { after, nodeTask, textFile } from './node-task.ts';
import { IAM_AUTHENTICATION_CONFIG, IAM_AUTHENTICATOR_DIR, IAM_AUTHENTICATOR_UID } from './paths.ts';

const USER = 'aws-iam-authenticator';

/** Where each API server finds the webhook on its own machine. */
const WEBHOOK = 'https://127.0.0.1:21362/authenticate';

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
    textFile(IAM_AUTHENTICATION_CONFIG, kubeconfigText(WEBHOOK, 'kube-apiserver', {})),
  ];
}
