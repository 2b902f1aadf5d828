/**
 * The name of an instance's Node: the first part of its host name, which is the instance's name unless somebody chose
 * another (kops nodeup/pkg/model/kubelet.go).
 */
export const nodeNameOf = (hostname: string): string => (hostname.split('.')[0] ?? '').toLowerCase();
