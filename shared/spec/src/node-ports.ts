/** The ports of Services of the type NodePort, unless `kubeAPIServer.serviceNodePortRange` says otherwise (kube-apiserver's default). */
export const DEFAULT_NODE_PORTS = '30000-32767';
