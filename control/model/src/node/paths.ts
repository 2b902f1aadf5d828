export {
  API_SERVER_DIR,
  CA_FILE,
  CONTROLLER_MANAGER_PKI_DIR,
  KUBELET_BOOTSTRAP_KUBECONFIG,
  KUBELET_KUBECONFIG,
  MANIFESTS_DIR,
} from '@kopsctl/spec/node-paths.ts';

export const CONTROLLER_MANAGER_DIR = '/var/lib/kube-controller-manager';
export const SCHEDULER_DIR = '/var/lib/kube-scheduler';

/** The copy of /etc/hosts that protokube keeps, which pods in the machine's network mount where names are kept there. */
export const POD_HOSTS = '/var/lib/kops/hosts';

export const KUBELET_PKI_DIR = '/var/lib/kubelet/pki';
/** The newest certificate that kubelet got from the cluster, and its key; kubelet keeps this link. */
export const KUBELET_CURRENT_CERTIFICATE = `${KUBELET_PKI_DIR}/kubelet-client-current.pem`;

/** The administrator's access that agents of the control plane use. */
export const KOPS_DIR = '/var/lib/kops';
export const KOPS_KUBECONFIG = '/var/lib/kops/kubeconfig';
