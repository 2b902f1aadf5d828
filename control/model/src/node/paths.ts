/** The cluster's CA certificates, on every node. */
export const CA_FILE = '/srv/kubernetes/ca.crt';
export const MANIFESTS_DIR = '/etc/kubernetes/manifests';

/** What each component owns; only its own pod mounts it (kops 1.20 keeps all of it flat in /srv/kubernetes). */
export const API_SERVER_DIR = '/srv/kubernetes/kube-apiserver';
export const CONTROLLER_MANAGER_PKI_DIR = '/srv/kubernetes/kube-controller-manager';
export const CONTROLLER_MANAGER_DIR = '/var/lib/kube-controller-manager';
export const SCHEDULER_DIR = '/var/lib/kube-scheduler';

/** What pods in the machine's network see as /etc/hosts where names are kept there: protokube's copy of it. */
export const POD_HOSTS = '/var/lib/kops/hosts';

export const KUBELET_KUBECONFIG = '/var/lib/kubelet/kubeconfig';
export const KUBELET_BOOTSTRAP_KUBECONFIG = '/var/lib/kubelet/bootstrap-kubeconfig';
export const KUBELET_PKI_DIR = '/var/lib/kubelet/pki';
/** The newest certificate that kubelet got from the cluster, and its key; kubelet keeps this link. */
export const KUBELET_CURRENT_CERTIFICATE = `${KUBELET_PKI_DIR}/kubelet-client-current.pem`;

/** The administrator's access that agents of the control plane use. */
export const KOPS_DIR = '/var/lib/kops';
export const KOPS_KUBECONFIG = '/var/lib/kops/kubeconfig';

export const VOLUME_PLUGIN_DIR = '/usr/libexec/kubernetes/kubelet-plugins/volume/exec/';
