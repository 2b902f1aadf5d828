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
  /** What it signs client certificates of kubelets with. */
  readonly clusterCa: Keyset;
  /** What it signs their serving certificates with. */
  readonly servingCa: Keyset;
}

/** kube-controller-manager, with the one controller that certificates need and the rates of completed specs. */
export async function startSigner(signer: SignerOf): Promise<ChildProcess> {
  const { program, kubeconfig, folder, clusterCa, servingCa } = signer;
  const client = await writePair(folder, clusterCa);
  const serving = await writePair(folder, servingCa);
  await using log = await open(join(folder, 'kube-controller-manager.log'), 'a');
  const flags = [
    `--kubeconfig=${kubeconfig}`,
    '--controllers=certificatesigningrequest-signing-controller',
    `--cluster-signing-kubelet-client-cert-file=${client.cert}`,
    `--cluster-signing-kubelet-client-key-file=${client.key}`,
    `--cluster-signing-kubelet-serving-cert-file=${serving.cert}`,
    `--cluster-signing-kubelet-serving-key-file=${serving.key}`,
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

/** The paths of what the keyset signs with. */
async function writePair(folder: string, keyset: Keyset): Promise<{ readonly cert: string; readonly key: string }> {
  const { certificatePem, privateKeyPem } = primary(keyset);
  const [cert, key] = [join(folder, `${keyset.name}.crt`), join(folder, `${keyset.name}.key`)];
  await writeFile(cert, certificatePem);
  await writeFile(key, privateKeyPem, { mode: 0o600 });
  return { cert, key };
}
