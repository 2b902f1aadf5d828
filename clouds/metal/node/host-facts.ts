import { readFile } from 'node:fs/promises';
import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { HOST_FILES } from '@kopsctl/node-identity/host-files.ts';
import type { Facts } from '@kopsctl/node-plan/facts.ts';

/** The identity of this machine, which only the person who enrolled it could know. */
export async function readHostFacts(path: string = HOST_FILES.facts): Promise<Facts> {
  try {
    return parseHostFacts(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new ActionableError({
      what: `learn from ${path} which machine this is`,
      why: messageOf(cause),
      next: '`kopsctl toolbox enroll` writes it',
      cause,
    });
  }
}

function parseHostFacts(text: string): Facts {
  const from = new FieldReader(JSON.parse(text));
  const facts = {
    instanceId: from.text('instanceId'),
    nodeName: from.text('nodeName'),
    address: from.text('address'),
    zone: from.text('zone'),
  };
  from.refuseFaults();
  return facts;
}
