import { readFile } from 'node:fs/promises';
import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { NodeAuthorityConfig } from '@kopsctl/node-plan/agent-config.ts';

/** Reads the configuration that nodeup wrote. @throws ActionableError if it cannot be read or lacks a field */
export async function readConfig(path: string): Promise<NodeAuthorityConfig> {
  try {
    return parseConfig(await readFile(path, 'utf8'));
  } catch (error) {
    throw new ActionableError({
      what: `read the configuration ${path}`,
      why: messageOf(error),
      next: 'run `nodeup`, which writes it from the node plan',
      cause: error,
    });
  }
}

function parseConfig(text: string): NodeAuthorityConfig {
  const from = new FieldReader(JSON.parse(text));
  const config = {
    cluster: from.text('cluster'),
    cloud: from.text('cloud'),
    nodeName: from.text('nodeName'),
    broker: from.text('broker'),
    machinePort: from.port('machinePort'),
    certificate: from.text('certificate'),
    key: from.text('key'),
    kubeconfig: from.text('kubeconfig'),
  };
  if (from.faults.length > 0) throw new Error(`these fields are missing or malformed: ${from.faults.join(', ')}`);
  return config;
}
