/**
 * What systemd denies our services. Older versions of systemd ignore directives and names that they do not know, and
 * only log them. So the list names the system calls that are denied: with a list of what is allowed, a systemd that
 * does not know `@system-service` would leave a service next to nothing.
 */

/** Groups of system calls that a service has no use for, systemd.exec(5); `systemd-analyze syscall-filter` prints them. */
const REFUSED_CALLS = [
  '@clock',
  '@cpu-emulation',
  '@debug',
  '@module',
  '@mount',
  '@obsolete',
  '@privileged',
  '@raw-io',
  '@reboot',
  '@resources',
  '@swap',
] as const;

/** What a service may do beyond using root's files and speaking over sockets. */
export interface ServiceRights {
  /** E.g. `CAP_NET_ADMIN`. */
  readonly capabilities?: readonly string[];
  readonly systemCalls?: readonly (typeof REFUSED_CALLS)[number][];
}

/**
 * For a service whose whole work we know. It stays in the machine's mount namespace.
 */
export const hardened = ({ capabilities = [], systemCalls = [] }: ServiceRights = {}): string => `NoNewPrivileges=yes
CapabilityBoundingSet=${capabilities.join(' ')}
LockPersonality=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=~${REFUSED_CALLS.filter((group) => !systemCalls.some((one) => one === group)).join(' ')}
SystemCallErrorNumber=EPERM
`;

/**
 * In addition, for a service that can write only in these folders. It has a mount namespace of its own: it sees what
 * the machine mounts and unmounts, but the machine sees nothing that the service mounts.
 *
 * @param unseen folders in which it sees nothing; one that the machine lacks is left out
 */
export const confined = (writable: readonly string[], unseen: readonly string[] = []): string => `ProtectSystem=strict
ReadWritePaths=${writable.join(' ')}
${unseen.length === 0 ? '' : `InaccessiblePaths=${unseen.map((folder) => `-${folder}`).join(' ')}\n`}ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectControlGroups=yes
ProtectKernelLogs=yes
ProtectKernelTunables=yes
UMask=0077
`;

/** For services that compile nothing while they run. V8 does. */
export const COMPILES_NOTHING = 'MemoryDenyWriteExecute=yes\n';

/**
 * For kubelet and nodeup, which start programs of others: volume drivers and helpers, scripts of packages. They must be
 * free to mount for the machine, to load modules, to change owners and to set the set-group-ID bit (kubelet does, for
 * fsGroup), and a mount helper may need privileges of its own (SELinux refuses its domain with NoNewPrivileges).
 */
export const RESTRAINED = `CapabilityBoundingSet=~CAP_AUDIT_CONTROL CAP_AUDIT_READ CAP_BLOCK_SUSPEND CAP_LEASE CAP_MAC_OVERRIDE CAP_SYS_BOOT CAP_SYS_PACCT CAP_SYS_RAWIO CAP_SYS_TIME CAP_SYS_TTY_CONFIG CAP_WAKE_ALARM
LockPersonality=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK AF_PACKET
RestrictNamespaces=mnt net
RestrictRealtime=yes
SystemCallArchitectures=native
SystemCallFilter=~@clock @cpu-emulation @debug @obsolete @raw-io @reboot @swap
SystemCallErrorNumber=EPERM
`;
