import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import type { NodeAuthorityConfig } from '@kopsctl/node-plan/agent-config.ts';

/** @throws when the text is not JSON, or with the paths of all fields that are missing or malformed */
export function parseConfig(text: string): NodeAuthorityConfig {
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
  from.refuseFaults();
  return config;
}
