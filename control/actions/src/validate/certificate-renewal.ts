/** Machines renew their certificates when a third of a year is left: one that has this little is not being renewed. */
export const LEAF_WARN_BEFORE_MS = 14 * 24 * 60 * 60_000;
/** What authorities sign for kubelets lives for three days and is renewed with one left: with half of that, it was not. */
const KUBELET_WARN_BEFORE_MS = 12 * 60 * 60_000;

export interface CertificateRenewal {
  /** With less time than this left, it has not been renewed when that was due. */
  readonly warnBeforeMs: number;
  /** What to do about one that was not. */
  readonly next: string;
}

/**
 * How a certificate of a machine is renewed. Pure.
 *
 * @param hasAuthority node authorities sign what the machine's kubelet shows: it is not a control plane
 */
export const certificateRenewal = (name: string, hasAuthority: boolean): CertificateRenewal =>
  hasAuthority && name.startsWith('kubelet-')
    ? {
        warnBeforeMs: KUBELET_WARN_BEFORE_MS,
        next: 'node authorities renew it when they reach the machine: look at `journalctl -u protokube` there and at `journalctl -u node-authority` on control planes, and check that its clock is right (`timedatectl`)',
      }
    : {
        warnBeforeMs: LEAF_WARN_BEFORE_MS,
        next: 'nodeup renews it: `systemctl restart nodeup` on the machine does it now, `journalctl -u nodeup` there says why it did not; check that its clock is right (`timedatectl`)',
      };
