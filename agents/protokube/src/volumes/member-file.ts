import type { MemberFile } from '@kopsctl/node-plan/agent-config.ts';
import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';

/** Parses `.member`; undefined when it is damaged, and then it is written again. */
export function parseMemberFile(text: string): MemberFile | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { member, members, volumeId } = asRecord(value);
  if (typeof member !== 'string' || typeof volumeId !== 'string' || !Array.isArray(members)) return undefined;
  return { member, members: asArray(members).flatMap((one) => asString(one) ?? []), volumeId };
}
