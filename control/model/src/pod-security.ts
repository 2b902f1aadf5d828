/** A user who owns no file in any image. */
export const NOBODY = 65_534;

/** For pods: the system calls that the runtime allows by default. Without this, Kubernetes allows all. */
export const DEFAULT_SYSTEM_CALLS = { seccompProfile: { type: 'RuntimeDefault' } };

/** For pods whose containers all run as one user, who can read and write their volumes. */
export const runAs = (user: number) => ({
  fsGroup: user,
  runAsGroup: user,
  runAsNonRoot: true,
  runAsUser: user,
  ...DEFAULT_SYSTEM_CALLS,
});

/** For containers that use no capability of root and gain none. */
export const WITHOUT_CAPABILITIES = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

/** The same for containers that write only to their volumes. */
export const UNPRIVILEGED = { ...WITHOUT_CAPABILITIES, readOnlyRootFilesystem: true };
