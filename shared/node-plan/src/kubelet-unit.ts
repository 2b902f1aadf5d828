/** The unit of systemd that runs kubelet on every machine. */
export const KUBELET_UNIT = 'kubelet.service';
