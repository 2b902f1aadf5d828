import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { clientFiles } from '@kopsctl/etcd-manager/etcd/certificates.ts';
import { benchConfig, type BenchMachine } from './etcd-machines.ts';

/** The size of a large Kubernetes object; 48,000 of them make a database of about half a gigabyte. */
const VALUE_BYTES = 10_700;
const WRITERS = 32;

/** Words of Kubernetes objects: three quarters of such an object are the same in all objects of its kind. */
const WORDS =
  `apiVersion kind metadata name namespace labels annotations creationTimestamp managedFields manager operation
fieldsType fieldsV1 spec containers image imagePullPolicy resources requests limits memory cpu volumeMounts mountPath readOnly
terminationMessagePath terminationMessagePolicy securityContext serviceAccountName tolerations effect operator status phase
conditions lastProbeTime lastTransitionTime hostIP podIP startTime containerStatuses restartCount ready`.split(/\s+/);

/** Text of that size, made of the words above and random hexadecimal numbers. */
function objectLike(bytes: number): string {
  const parts: string[] = [];
  for (let size = 0; size < bytes;) {
    const random = randomBytes(40);
    const words = Array.from({ length: 8 }, (_, index) => WORDS[(random[index] ?? 0) % WORDS.length] ?? '');
    const part = `"f:${words.join('":{".":{},"f:')}":"${random.toString('hex', 8, 24)}",`;
    parts.push(part);
    size += part.length;
  }
  return parts.join('').slice(0, bytes);
}

/** Writes this many keys to the etcd of a machine. */
export async function fillEtcd(machine: BenchMachine, keys: number): Promise<void> {
  const files = clientFiles(benchConfig(machine).mountPoint);
  const [ca, cert, key] = await Promise.all([readFile(files.ca), readFile(files.cert), readFile(files.key)]);
  const agent = new Agent({ keepAlive: true, maxSockets: WRITERS, ca, cert, key });
  const url = `https://${machine.address}:${machine.clientPort}/v3/kv/put`;
  let next = 0;
  const write = async (): Promise<void> => {
    for (let index = next++; index < keys; index = next++) {
      const name = Buffer.from(`/registry/bench/${index}`).toString('base64');
      const value = Buffer.from(objectLike(VALUE_BYTES)).toString('base64');
      await put(url, agent, JSON.stringify({ key: name, value }));
    }
  };
  try {
    await Promise.all(Array.from({ length: WRITERS }, write));
  } finally {
    agent.destroy();
  }
}

function put(url: string, agent: Agent, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent }, (answer) => {
      answer.resume();
      answer.once('error', reject);
      answer.once('end', () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`etcd answered ${answer.statusCode}`));
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
