/**
 * The part that all long-running agents share. protokube mounts etcd's volumes for the whole machine, and etcd-manager
 * works in them, so nothing here may give a service its own mount namespace (no ProtectSystem, PrivateTmp …). No
 * MemoryDenyWriteExecute either: V8 compiles at run time. No negative OOMScoreAdjust: it fails where a container has no
 * CAP_SYS_RESOURCE, and then the unit would not start at all.
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
