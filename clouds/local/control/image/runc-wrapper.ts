/** The path of the wrapper in a machine, for container runtimes that request more than a machine may have. */
export const RUNC_WRAPPER_PATH = '/usr/local/lib/local-machine/runc';

/** Linux capabilities, ordered by their bit (linux/capability.h, 5.9 and newer: 41 of them). */
const CAPABILITIES = [
  'CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE NET_BIND_SERVICE',
  'NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE SYS_PACCT SYS_ADMIN',
  'SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL SETFCAP MAC_OVERRIDE',
  'MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF CHECKPOINT_RESTORE',
].join(' ');

/**
 * Wraps runc and removes what a machine cannot grant. Docker 20.10 requests every capability it knows for a privileged
 * container, and kubelet requests negative OOM scores. If a machine lacks a capability, the former fails with "unable
 * to apply caps", the latter with "can't get final child's PID from pipe: EOF". The wrapper therefore edits the bundle
 * (create, run) or the process file (exec). The real runc is found in the PATH of the caller. containerd needs no
 * wrapper: it only requests capabilities that it has, and has restrict_oom_score_adj.
 */
export const RUNC_WRAPPER = `#!/bin/sh
set -eu
command= file= bundle=. previous=
for word in "$@"; do
  case $previous in
    --bundle | -b) bundle=$word ;;
    --process | -p) file=$word ;;
  esac
  case $word in
    create | run | exec) command=\${command:-$word} ;;
    --bundle=*) bundle=\${word#--bundle=} ;;
    --process=*) file=\${word#--process=} ;;
  esac
  previous=$word
done
case $command in
  create | run) file=$bundle/config.json at=.process ;;
  exec) at=. ;;
esac
if [ -n "$command" ] && [ -f "$file" ]; then
  bounding=$(sed -n 's/^CapBnd:[[:space:]]*/0x/p' /proc/self/status)
  held=' ' bit=0
  for name in ${CAPABILITIES}; do
    if [ $((bounding >> bit & 1)) = 1 ]; then held="$held CAP_$name "; fi
    bit=$((bit + 1))
  done
  jq -c --arg held "$held" --argjson least "$(cat /proc/self/oom_score_adj)" "
    $at |= (
      if .oomScoreAdj then .oomScoreAdj |= ([., \\$least] | max) else . end
      | if .capabilities then .capabilities |= map_values(map(select(. as \\$name | \\$held | contains(\\" \\" + \\$name + \\" \\")))) else . end
    )" "$file" > "$file.granted"
  cat "$file.granted" > "$file"
  rm "$file.granted"
fi
exec runc "$@"
`;
