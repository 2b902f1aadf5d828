import { taskId, type Task, type TaskId } from '@kopsctl/tasks/task.ts';
import { stringify } from 'yaml';
import { containerdSettings } from '../runtime/containerd-settings.ts';
import type { Settings } from '../flags.ts';
import type { RegistryCredentials } from '../runtime/registry-credentials.ts';
import type { NodeContext } from './node-context.ts';
import { dockerConfig } from './docker-config.ts';
import { assetTask, fileId, programFile, textFile } from './node-task.ts';

const CONFIG = '/var/lib/kubelet/credential-provider.conf';
const BIN_DIR = '/usr/local/bin';

/** The program, where kubelet no longer gets these credentials by itself. */
export const registryCredentialsOf = ({
  cloud,
  kubernetes,
  ...facts
}: Pick<NodeContext, 'cloud' | 'kubernetes' | 'spec' | 'clusterName'>): RegistryCredentials | undefined =>
  kubernetes.registryCredentialsInTree ? undefined : cloud.registryCredentials?.(facts);

export interface InstalledCredentials {
  readonly tasks: readonly Task[];
  /** What kubelet reads at its start. */
  readonly read: readonly string[];
  readonly needs: readonly TaskId[];
  /** There is no field for them in kubelet's configuration file. */
  readonly flags: Settings;
}

/** All that a node has to pull images from registries that ask who it is. */
export function installRegistryCredentials(node: NodeContext): InstalledCredentials {
  const ofPeople = dockerConfig(node);
  const ofCloud = installProgram(node);
  return {
    ...ofCloud,
    tasks: [...ofPeople, ...ofCloud.tasks],
    // kubelet looks for it when it pulls an image, and relies for minutes on what it found.
    needs: [...ofPeople.map(taskId), ...ofCloud.needs],
  };
}

/** The program on a node, and how kubelet is told about it (kops nodeup/pkg/model/kubelet.go). */
function installProgram(node: NodeContext): InstalledCredentials {
  const containerd = containerdSettings(node.spec, node.instanceGroup);
  const credentials = registryCredentialsOf({ ...node, spec: { ...node.spec, containerd } });
  if (credentials === undefined) return { tasks: [], read: [], needs: [], flags: {} };
  const { name, version, provider } = credentials;
  const asset = assetTask(node, node.assets.find(name, version));
  const program = `${BIN_DIR}/${name}`;
  const config = {
    apiVersion: 'kubelet.config.k8s.io/v1',
    kind: 'CredentialProviderConfig',
    providers: [{ apiVersion: 'credentialprovider.kubelet.k8s.io/v1', name, ...provider }],
  };
  return {
    tasks: [asset, programFile(program, asset), textFile(CONFIG, stringify(config, { lineWidth: 0 }))],
    read: [CONFIG],
    needs: [fileId(program)],
    flags: { imageCredentialProviderBinDir: BIN_DIR, imageCredentialProviderConfig: CONFIG },
  };
}
