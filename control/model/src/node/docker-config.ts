import type { IdentityConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { DOCKER_CONFIG_SECRET } from '../store/brought-secrets.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import type { NodeContext } from './node-context.ts';
import { secretFile } from './node-task.ts';

/** Where Docker and the tools of people look for credentials (kops nodeup/pkg/model/secrets.go), and where kubelet does. */
const FILES = ['/root/.docker/config.json', '/var/lib/kubelet/config.json'] as const;

/** Credentials of registries that every machine has, where somebody has brought them. */
export const dockerConfigFiles = ({ secrets }: Pick<ClusterFacts, 'secrets'>): IdentityConfig['secrets'] =>
  secrets[DOCKER_CONFIG_SECRET] === undefined ? [] : FILES.map((path) => ({ name: DOCKER_CONFIG_SECRET, path }));

/** The same on a control plane, which reads secrets itself. Other machines get them once they are attested (`machineSecrets`). */
export const dockerConfig = (node: NodeContext): readonly Task[] =>
  node.isControlPlane ? dockerConfigFiles(node).map(({ name, path }) => secretFile(path, name)) : [];
