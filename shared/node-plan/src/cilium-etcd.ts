/**
 * Without .crt and .key: the certificate with which Cilium's agents prove themselves to their etcd, where kops has it. Control
 * planes keep it, and protokube's leader gives it to the agents.
 */
export const CILIUM_ETCD_CLIENT = '/etc/kubernetes/pki/cilium/etcd-client-cilium';
