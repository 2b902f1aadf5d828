/**
 * The common unit of all long-running agents. protokube mounts etcd's volumes for the whole machine, and etcd-manager
 * works in them, so a service must not have its own mount namespace (no ProtectSystem, PrivateTmp …).
 * MemoryDenyWriteExecute is impossible, because V8 compiles at run time. A negative OOMScoreAdjust fails in a container
 * without CAP_SYS_RESOURCE, and the unit would not start.
 */
export function agentService(options: {
  readonly description: string;
  readonly command: string;
  readonly configPath: string;
}): string {
  return `[Unit]
Description=${options.description}
Wants=network-online.target
After=network-online.target
# Written by nodeup; without it there is nothing to do yet.
ConditionPathExists=${options.configPath}
# An agent is never given up on.
StartLimitIntervalSec=0

[Service]
ExecStart=${options.command} --config ${options.configPath}
Restart=always
RestartSec=2s
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK

[Install]
WantedBy=multi-user.target
`;
}
