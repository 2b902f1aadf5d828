import { ENCRYPTION_CONFIG } from '@kopsctl/spec/node-paths.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { ENCRYPTION_CONFIG_SECRET } from '../store/brought-secrets.ts';
import type { NodeContext } from './node-context.ts';
import { secretFile } from './node-task.ts';

/** Changes with the secret, so that machines with another one count as outdated (kops: EncryptionConfigSecretHash). */
const HASH_ANNOTATION = 'kopsctl.io/encryptionconfig-sha256';

export interface EncryptionAtRest {
  readonly tasks: readonly Task[];
  /** For the API server's pod, which reads the file at its start. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** What the API server encrypts Secrets with before etcd gets them (kops nodeup/pkg/model/kube_apiserver.go). */
export function encryptionAtRest({ spec, secrets }: NodeContext): EncryptionAtRest {
  if (spec.kubeAPIServer?.encryptionProviderConfig !== ENCRYPTION_CONFIG) return { tasks: [], annotations: {} };
  const hash = secrets[ENCRYPTION_CONFIG_SECRET];
  return {
    tasks: [secretFile(ENCRYPTION_CONFIG, ENCRYPTION_CONFIG_SECRET)],
    annotations: hash === undefined ? {} : { [HASH_ANNOTATION]: hash },
  };
}
