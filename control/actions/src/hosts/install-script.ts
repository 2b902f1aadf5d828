import { HOST_FILES } from '@kopsctl/node-identity/host-files.ts';
import type { HostRecord } from '@kopsctl/node-identity/host-record.ts';

/** What a machine prints of itself, so that the store can keep it. */
export const NAME_SCRIPT = 'hostname\n';

/**
 * Puts on a machine what it is, the key of its first proof and the bootstrap script, and runs that. It is POSIX sh and goes
 * to the standard input of a root shell: nothing of it is an argument of any process. It can be run again.
 *
 * @param privateKeyPem absent for control planes
 */
export function installScript(host: HostRecord, privateKeyPem: string | undefined, userData: string): string {
  const { instanceId, node: nodeName, address, zone } = host;
  const facts = `${JSON.stringify({ instanceId, nodeName, address, zone }, null, 2)}\n`;
  return [
    'set -eu',
    'umask 077',
    `put() { mkdir -p /etc/kops; base64 -d >"$1.new"; chmod "$2" "$1.new"; sync "$1.new" 2>/dev/null || sync; mv -f "$1.new" "$1"; }`,
    ...put(HOST_FILES.facts, '0644', facts),
    ...(privateKeyPem === undefined ? [] : put(HOST_FILES.firstKey, '0600', privateKeyPem)),
    ...put(HOST_FILES.script, '0700', userData),
    // Agents run as users of their own too.
    'chmod 0755 /etc/kops',
    // This shell reads the rest of these lines from its input, which the script would otherwise read away.
    `sh ${HOST_FILES.script} </dev/null`,
    '',
  ].join('\n');
}

/** In base64 no line can be the end of the here-document. */
const put = (path: string, mode: string, text: string): readonly string[] => [
  `put ${path} ${mode} <<'KOPS_FILE'`,
  Buffer.from(text).toString('base64').replaceAll(/.{76}/g, '$&\n').trimEnd(),
  'KOPS_FILE',
];
