/** Files on a node whose paths both a completed spec and a node plan contain. */

/** The cluster's CA certificates, on every node. */
export const CA_FILE = '/srv/kubernetes/ca.crt';
/** The manifests of static pods. */
export const MANIFESTS_DIR = '/etc/kubernetes/manifests';

/** The folder of each component. Only its own pod mounts it. (kops 1.20 keeps all files in /srv/kubernetes.) */
export const API_SERVER_DIR = '/srv/kubernetes/kube-apiserver';
/** The certificates by which the API server recognises kubelets. */
export const KUBELET_AUTHORITIES = `${API_SERVER_DIR}/kubelet-serving-ca.crt`;
/** Says whom the API server lets in without credentials, and to what. */
export const AUTHENTICATION_CONFIG = `${API_SERVER_DIR}/authentication.yaml`;
/** The keys with which the API server encrypts what it stores. */
export const ENCRYPTION_CONFIG = `${API_SERVER_DIR}/encryptionconfig.yaml`;
export const CONTROLLER_MANAGER_PKI_DIR = '/srv/kubernetes/kube-controller-manager';

export const SCHEDULER_PKI_DIR = '/srv/kubernetes/kube-scheduler';
/** Without .crt and .key: the certificate with which kubelet proves itself to its callers. */
export const KUBELET_SERVER = '/srv/kubernetes/kubelet-server';

/** Where each component finds its access to the API, and its own configuration. */
export const CONTROLLER_MANAGER_DIR = '/var/lib/kube-controller-manager';
export const SCHEDULER_DIR = '/var/lib/kube-scheduler';

export const KUBELET_KUBECONFIG = '/var/lib/kubelet/kubeconfig';

/** Where containerd listens unless `spec.containerd.address` says otherwise: its own default. */
export const CONTAINERD_SOCKET = '/run/containerd/containerd.sock';

export const VOLUME_PLUGIN_DIR = '/usr/libexec/kubernetes/kubelet-plugins/volume/exec/';

/** The folder of a file: `/var/log` of `/var/log/audit.log`. */
export const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 1));
