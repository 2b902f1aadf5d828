/** A user to whom no file belongs, in any image. */
export const NOBODY = 65_534;

/** Of pods: the system calls that the runtime allows by default. Without this, Kubernetes allows all. */
export const DEFAULT_SYSTEM_CALLS = { seccompProfile: { type: 'RuntimeDefault' } };

/** Of pods whose containers all run as one user, who can read and write their volumes. */
export const runAs = (user: number) => ({
  fsGroup: user,
  runAsGroup: user,
  runAsNonRoot: true,
  runAsUser: user,
  ...DEFAULT_SYSTEM_CALLS,
});

/** Of containers that use no capability of root and gain none. */
export const WITHOUT_CAPABILITIES = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

/** The same of containers that write in their volumes alone. */
export const UNPRIVILEGED = { ...WITHOUT_CAPABILITIES, readOnlyRootFilesystem: true };
