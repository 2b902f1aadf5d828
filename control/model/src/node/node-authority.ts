import type { NodeAuthorityConfig } from '@kopsctl/node-plan/agent-config.ts';
import { AUTHORITY_USER, authorityName, BROKER_SOCKET, MACHINE_PORT } from '@kopsctl/node-identity/addresses.ts';
import { AUTHORITY_SYSTEM_USER, nodeAuthorityUnit } from '@kopsctl/systemd/node-authority.service.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { authorityServing, certificateId, clientCertificate } from './certificates.ts';
import { AUTHORITY_ACCOUNT } from './authority-account.ts';
import { kubeconfigText } from './kubeconfigs.ts';
import { METADATA_GUARD } from './metadata-guard.ts';
import type { NodeContext } from './node-context.ts';
import { after, fileId, nodeTask, textFile, unitFile, unitPath } from './node-task.ts';
import { CA_FILE } from './paths.ts';

const UNIT = 'node-authority.service';
const CONFIG = '/etc/kops/node-authority.json';
const DIR = '/etc/kops/node-authority';
const SERVER = `${DIR}/server`;
const CLIENT = `${DIR}/client`;
const KUBECONFIG = `${DIR}/kubeconfig`;

/** The agent of control planes that attests the machines of the cluster. Nothing on this machine waits for it. */
export function nodeAuthority(node: NodeContext): readonly Task[] {
  const user = nodeTask('User', AUTHORITY_SYSTEM_USER, { name: AUTHORITY_SYSTEM_USER });
  const owned = { owner: AUTHORITY_SYSTEM_USER, after: after(AUTHORITY_ACCOUNT) };
  const serving = authorityServing(authorityName(node.clusterName), SERVER, owned);
  const client = clientCertificate({ name: 'node-authority', basePath: CLIENT, commonName: AUTHORITY_USER, ...owned });
  const access = kubeconfigText('https://127.0.0.1', AUTHORITY_USER, {
    'client-certificate': `${CLIENT}.crt`,
    'client-key': `${CLIENT}.key`,
  });
  const config: NodeAuthorityConfig = {
    cluster: node.clusterName,
    cloud: node.cloud.name,
    nodeName: '@{nodeName}',
    broker: BROKER_SOCKET,
    machinePort: MACHINE_PORT,
    certificate: `${SERVER}.crt`,
    key: `${SERVER}.key`,
    kubeconfig: KUBECONFIG,
  };
  return [
    user,
    serving,
    client,
    // It names files, and holds no key itself.
    textFile(KUBECONFIG, access, { after: after(certificateId('node-authority'), fileId(CA_FILE)) }),
    textFile(CONFIG, `${JSON.stringify(config, null, 2)}\n`),
    unitFile(UNIT, nodeAuthorityUnit()),
    nodeTask('Service', UNIT, {
      unit: UNIT,
      enabled: true,
      running: true,
      noBlock: true,
      restartOn: after(fileId(CONFIG), fileId(unitPath(UNIT))),
      restartOnPaths: [CONFIG, unitPath(UNIT)],
      after: after(certificateId('node-authority-server'), fileId(KUBECONFIG), METADATA_GUARD),
    }),
  ];
}
