/**
 * The line of a unit for the cgroup that a person wants its processes in, with a line break, or nothing (kops
 * nodeup/pkg/model/{kubelet,containerd}.go). kubelet exits if the cgroup that it is told to account for does not exist; systemd
 * makes a slice once a unit is in it.
 */
export const sliceOf = (cgroup = ''): string => {
  const name = cgroup.replaceAll(/^\/+|\/+$/g, '');
  return name === '' ? '' : `Slice=${name.replace(/\.slice$/, '')}.slice\n`;
};
