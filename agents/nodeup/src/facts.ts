import { readFile } from 'node:fs/promises';
import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import { openNodeCloud } from '@kopsctl/clouds/node.ts';
import type { NodeCloudOptions } from '@kopsctl/node-cloud/node-part.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { type Facts, MACHINE_FACTS } from '@kopsctl/node-plan/facts.ts';
import { usesFact } from '@kopsctl/node-plan/render.ts';
import type { Task } from '@kopsctl/tasks/task.ts';

/**
 * The facts that only this machine knows, from its cloud or from a file.
 *
 * @param tasks a fact that takes a question of its own is asked for only if these tasks need it
 */
export async function readFacts(
  cloud: string,
  file: string | undefined,
  tasks: readonly Task[],
  options: NodeCloudOptions,
  signal: AbortSignal,
): Promise<Facts> {
  if (file === undefined) {
    const opened = await openNodeCloud(cloud, options);
    const facts = await opened.facts(signal);
    const podLimit = usesFact(tasks, 'podLimit') ? await opened.podLimit?.(signal) : undefined;
    const primary = usesFact(tasks, 'primaryInterface') ? await opened.primaryInterface?.(signal) : undefined;
    return {
      ...facts,
      ...(podLimit !== undefined && { podLimit: String(podLimit) }),
      ...(primary !== undefined && { primaryInterface: primary }),
    };
  }
  try {
    return parseFacts(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new ActionableError({
      what: `read the facts in ${file}`,
      why: messageOf(cause),
      next: `write a JSON object with ${MACHINE_FACTS.join(', ')}, each as a string`,
      cause,
    });
  }
}

/** @throws when the text is not JSON, or naming the facts that are missing */
export function parseFacts(text: string): Facts {
  const from = new FieldReader(JSON.parse(text));
  const facts: Facts = {
    instanceId: from.text('instanceId'),
    nodeName: from.text('nodeName'),
    address: from.text('address'),
    zone: from.text('zone'),
    ...from.optional('resolvConf', (name) => from.text(name)),
    ...from.optional('podLimit', (name) => from.text(name)),
    ...from.optional('primaryInterface', (name) => from.text(name)),
    ...from.optional('apiLoadBalancer', (name) => from.text(name)),
    ...from.optional('authorityCa', (name) => from.text(name)),
  };
  if (from.faults.length > 0) throw new Error(`these facts are missing: ${from.faults.join(', ')}`);
  return facts;
}
