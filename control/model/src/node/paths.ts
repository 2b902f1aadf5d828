export {
  API_SERVER_DIR,
  AUTHENTICATION_CONFIG,
  CA_FILE,
  CONTROLLER_MANAGER_DIR,
  CONTROLLER_MANAGER_PKI_DIR,
  folderOf,
  KUBELET_AUTHORITIES,
  KUBELET_KUBECONFIG,
  KUBELET_SERVER,
  MANIFESTS_DIR,
  SCHEDULER_DIR,
  SCHEDULER_PKI_DIR,
} from '@kopsctl/spec/node-paths.ts';

/** The copy of /etc/hosts that protokube keeps, which pods in the machine's network mount where names are kept there. */
export const POD_HOSTS = '/var/lib/kops/hosts';

export const KUBELET_PKI_DIR = '/var/lib/kubelet/pki';
/** Without .crt and .key: the certificate with which kubelet proves itself to the API server. */
export const KUBELET_CLIENT = `${KUBELET_PKI_DIR}/kubelet-client`;

/** The administrator's access that agents of the control plane use. */
export const KOPS_DIR = '/var/lib/kops';
export const KOPS_KUBECONFIG = '/var/lib/kops/kubeconfig';

/** The key by which an authority recognises a machine. */
export const MACHINE_KEY = '/var/lib/kops/machine.key';
/** Where nodeup keeps the report of the boot. */
export const BOOT_REPORT = '/var/lib/kops/boot-report.json';
/** Where nodeup keeps the plan that this machine was made from. */
export const NODE_PLAN = '/var/lib/kops/node-plan.json';
