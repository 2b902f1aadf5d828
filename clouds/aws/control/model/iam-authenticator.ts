import { serverCertificate } from '@kopsctl/model/node/certificates.ts';
import { kubeconfigText } from '@kopsctl/model/node/kubeconfigs.ts';
import type { MachinePart } from '@kopsctl/model/node/machine-part.ts';
import { after, fileId, nodeTask, textFile } from '@kopsctl/model/node/node-task.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { IAM_AUTHENTICATION_CONFIG, IAM_AUTHENTICATOR_DIR, IAM_AUTHENTICATOR_UID } from '../iam-authenticator-files.ts';

const USER = 'aws-iam-authenticator';

/** Where each API server finds the webhook on its own machine. */
const WEBHOOK = 'https://127.0.0.1:21362/authenticate';

/**
 * What the webhook that takes AWS identities for users finds on a machine, and how its API server finds the webhook. A person
 * who names another file has another webhook.
 */
export const iamAuthenticator = ({ kubeAPIServer }: ClusterSpec): MachinePart | undefined =>
  kubeAPIServer?.authenticationTokenWebhookConfigFile === IAM_AUTHENTICATION_CONFIG
    ? { tasks: tasks(), awaited: [fileId(IAM_AUTHENTICATION_CONFIG)] }
    : undefined;

function tasks(): readonly Task[] {
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
