/**
 * The name of an instance's Node: the first label of its host name, which is the name of the instance unless a custom
 * host name is set (kops nodeup/pkg/model/kubelet.go).
 */
export const nodeNameOf = (hostname: string): string => (hostname.split('.')[0] ?? '').toLowerCase();
