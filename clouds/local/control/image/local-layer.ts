import type { LayerLink } from './layer-files.ts';
import { RUNC_WRAPPER, RUNC_WRAPPER_PATH } from './runc-wrapper.ts';
import type { LayerFile } from '../machines/seed.ts';

/**
 * Values that kubelet requires (kernelTunables in its container manager). They are bind-mounted into the machine; the
 * settings of the host do not change.
 */
const SHOWN_SYSCTLS = {
  'vm/overcommit_memory': 1,
  'kernel/panic': 10,
  'kernel/panic_on_oops': 1,
  'kernel/keys/root_maxkeys': 1_000_000,
  'kernel/keys/root_maxbytes': 25_000_000,
} as const;

/**
 * Runs before all else in a machine:
 * - nspawn leaves the cgroup tree read-only (a plain `remount,rw` is refused, it takes a bind remount);
 * - files laid over sysctls satisfy kubelet without a change to the host. nspawn's --bind cannot do
 *   this, since it binds below /proc after it has left the host's root;
 * - kubelet needs shared mounts.
 */
const SETUP_SCRIPT = `#!/bin/sh
set -eu
for group in /sys/fs/cgroup /sys/fs/cgroup/*; do
  if [ -d "$group" ] && [ ! -L "$group" ] && mountpoint -q "$group"; then mount -o remount,bind,rw "$group"; fi
done
mkdir -p /run/local-machine/sysctl
${Object.entries(SHOWN_SYSCTLS)
  .map(([name, value]) => `show ${name} ${value}`)
  .join('\n')}
mount --make-rshared /
`.replace(
  'mkdir -p',
  `show() {
  file=/run/local-machine/sysctl/$(echo "$1" | tr / .)
  echo "$2" > "$file"
  if [ -e "/proc/sys/$1" ]; then mount --bind "$file" "/proc/sys/$1"; fi
}
mkdir -p`,
);

const SETUP_UNIT = `[Unit]
Description=Make a container look like a machine
DefaultDependencies=no
Before=sysinit.target systemd-sysctl.service systemd-journald.service systemd-tmpfiles-setup-dev.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/local/lib/local-machine/setup

[Install]
WantedBy=sysinit.target
`;

/**
 * The user data is a script or a small cloud-config; other modules would only slow down the boot. Its first stage reads
 * the user data and its last stage runs it; the two between are masked below, because each starts Python, which takes 0.4 s.
 */
const CLOUD_CONFIG = `datasource_list: [ NoCloud ]
datasource: { NoCloud: { fs_label: null } }
network: { config: disabled }
locale: false
manage_etc_hosts: false
preserve_hostname: true
users: []
disable_root: false
cloud_init_modules: [ bootcmd, write-files, runcmd ]
cloud_config_modules: []
cloud_final_modules: [ scripts-vendor, scripts-per-once, scripts-per-boot, scripts-per-instance, scripts-user, final-message ]
`;

/** Units that do not work in a container, or are useless in a short-lived machine. */
const MASKED_UNITS = [
  'sys-kernel-debug.mount',
  'sys-kernel-tracing.mount',
  'sys-kernel-config.mount',
  'dev-hugepages.mount',
  'apt-daily.timer',
  'apt-daily-upgrade.timer',
  'dpkg-db-backup.timer',
  'fstrim.timer',
  'e2scrub_all.timer',
  'e2scrub_reap.service',
  'systemd-resolved.service',
  'systemd-networkd-wait-online.service',
  'systemd-update-utmp.service',
  'cloud-init.service',
  'cloud-config.service',
  'cloud-init-hotplugd.socket',
  'console-getty.service',
  'getty.target',
];

/** The layer above the base image of every local machine: what a virtual machine would have by itself. */
export const LOCAL_LAYER_FILES: readonly LayerFile[] = [
  { path: 'usr/local/lib/local-machine/setup', mode: 0o755, text: SETUP_SCRIPT },
  { path: RUNC_WRAPPER_PATH.slice(1), mode: 0o755, text: RUNC_WRAPPER },
  { path: 'etc/systemd/system/local-machine-setup.service', mode: 0o644, text: SETUP_UNIT },
  {
    path: 'etc/systemd/system.conf.d/local-machine.conf',
    mode: 0o644,
    // Container scopes ignore SIGTERM; with systemd's default of 90 seconds, every stop would take that long.
    text: '[Manager]\nDefaultTimeoutStopSec=10s\nLogColor=no\n',
  },
  { path: 'etc/cloud/cloud.cfg.d/90-local-machine.cfg', mode: 0o644, text: CLOUD_CONFIG },
  { path: 'etc/cloud/ds-identify.cfg', mode: 0o644, text: 'policy: enabled\n' },
  // With this folder journald writes to disk, so the journal of a dead machine can be read.
  { path: 'var/log/journal/.keep', mode: 0o644, text: '' },
];

export const LOCAL_LAYER_LINKS: readonly LayerLink[] = [
  {
    path: 'etc/systemd/system/sysinit.target.wants/local-machine-setup.service',
    target: '/etc/systemd/system/local-machine-setup.service',
  },
  ...MASKED_UNITS.map((unit) => ({ path: `etc/systemd/system/${unit}`, target: '/dev/null' })),
];
