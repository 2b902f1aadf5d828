/**
 * Makes the user-data of a machine in GCE that of a container of this computer: before it come what the image of such a machine
 * would have, and the addresses by which the container reaches Google.
 */
export function onContainer(userData: string, env: Readonly<Record<string, string>>): string {
  const shebang = '#!/bin/sh\n';
  if (!userData.startsWith(shebang)) throw new Error('the user-data of a machine is a shell script');
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const image = [
    // A container may not lower its OOM score, and a unit that wants it would not start.
    'mkdir -p /etc/systemd/system/containerd.service.d',
    "printf '[Service]\\nOOMScoreAdjust=0\\n' > /etc/systemd/system/containerd.service.d/container.conf",
    // All services inherit it: no agent reaches Google's own servers.
    `systemctl set-environment ${variables.join(' ')}`,
    '',
  ];
  return shebang + image.join('\n') + userData.slice(shebang.length);
}
