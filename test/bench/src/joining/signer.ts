import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Keyset, primary } from '@kopsctl/pki/keyset.ts';

interface SignerOf {
  /** kube-controller-manager. */
  readonly program: string;
  readonly kubeconfig: string;
  readonly folder: string;
  /** What it signs certificates of kubelets with. */
  readonly clusterCa: Keyset;
}

/** kube-controller-manager, with the one controller that certificates need and the rates of completed specs. */
export async function startSigner({ program, kubeconfig, folder, clusterCa }: SignerOf): Promise<ChildProcess> {
  const { certificatePem, privateKeyPem } = primary(clusterCa);
  const [cert, key] = [join(folder, 'cluster-ca.crt'), join(folder, 'cluster-ca.key')];
  await writeFile(cert, certificatePem);
  await writeFile(key, privateKeyPem, { mode: 0o600 });
  await using log = await open(join(folder, 'kube-controller-manager.log'), 'a');
  const flags = [
    `--kubeconfig=${kubeconfig}`,
    '--controllers=certificatesigningrequest-signing-controller',
    `--cluster-signing-cert-file=${cert}`,
    `--cluster-signing-key-file=${key}`,
    '--leader-elect=false',
    '--secure-port=0',
    // shared/spec/src/complete/components.ts
    '--kube-api-qps=200',
    '--kube-api-burst=400',
  ];
  const child = spawn(program, flags, { stdio: ['ignore', log.fd, log.fd] });
  await once(child, 'spawn');
  return child;
}
