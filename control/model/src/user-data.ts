import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';

const BOUNDARY = 'MIMEBOUNDARY';

/**
 * The user-data of a group: only the boot script or, with spec.additionalUserData, an archive of all parts that
 * cloud-init unpacks (cloud-init documentation, "MIME multi-part archive"). Undefined if there is nothing to run, as on a
 * bastion.
 */
export function userDataOf({ spec }: InstanceGroup, bootScript: string | undefined): string | undefined {
  const additional = (spec.additionalUserData ?? []).map(({ name = '', type = '', content = '' }) => ({
    name,
    type,
    content,
  }));
  if (additional.length === 0) return bootScript;
  const own = bootScript === undefined ? [] : [{ name: 'nodeup.sh', type: 'text/x-shellscript', content: bootScript }];
  return [
    `Content-Type: multipart/mixed; boundary="${BOUNDARY}"`,
    'MIME-Version: 1.0',
    '',
    ...[...own, ...additional].flatMap(({ name, type, content }) => [
      `--${BOUNDARY}`,
      `Content-Disposition: attachment; filename="${name.replaceAll(/["\r\n]/g, '')}"`,
      'Content-Transfer-Encoding: 7bit',
      `Content-Type: ${type.replaceAll(/[\r\n]/g, '')}`,
      'Mime-Version: 1.0',
      '',
      content,
    ]),
    `--${BOUNDARY}--`,
    '',
  ].join('\n');
}
