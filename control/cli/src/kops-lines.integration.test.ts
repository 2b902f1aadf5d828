import { mkdtemp, readFile, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runLine } from './testing/run-line.ts';

/*
 * Command lines as kops's documentation writes them, one after the other on one state store. Those that need a
 * running cluster are checked to be understood, and to lack only the cloud or the cluster.
 */

let folder: string;
let env: NodeJS.ProcessEnv;

const NAME = 'k8s-cluster.example.com';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-kops-'));
  env = {
    KOPS_STATE_STORE: `file://${folder}/state`,
    KOPS_CLUSTER_NAME: NAME,
    KUBECONFIG: join(folder, 'kubeconfig'),
    HOME: folder,
    EDITOR: 'true',
  };
  for (const [name, value] of Object.entries({
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/nonexistent',
    AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
    AWS_ACCESS_KEY_ID: '',
    AWS_PROFILE: '',
  })) {
    vi.stubEnv(name, value);
  }
  await writeFile(
    join(folder, 'id_ed25519.pub'),
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIM6BvFqAdjdSqU+D5/hYC81gsd7K3Qropfvdk/urR2ZS someone\n',
  );
  await writeFile(join(folder, 'docker.json'), '{"auths":{"quay.io":{"auth":"aGk="}}}');
  await writeFile(join(folder, 'cilium'), 'keys: 3+ rfc4106(gcm(aes)) 0123456789012345678901234567890123456789 128\n');
  await writeFile(
    join(folder, 'encryption.yaml'),
    'apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n- resources: [secrets]\n  providers:\n  - identity: {}\n',
  );
  await writeFile(
    join(folder, 'more.yaml'),
    `apiVersion: kops.k8s.io/v1alpha2\nkind: InstanceGroup\nmetadata: {name: more, labels: {kops.k8s.io/cluster: ${NAME}}}\n` +
      'spec: {role: Node, image: ami-12345678, machineType: t3.medium, minSize: 1, maxSize: 1, subnets: [us-east-1a]}\n',
  );
  await writeFile(
    join(folder, 'channel'),
    'spec:\n  images: [{name: ami-0123, providerID: aws}]\n  kopsVersions: [{range: ">=1.30.0", kubernetesVersion: 1.35.4}]\n',
  );
  await mkdir(join(folder, 'snippets'));
  await writeFile(join(folder, 'snippets', 'zone'), '{{ . }}-a');
  await writeFile(
    join(folder, 'template'),
    'name: {{ .name }}\nvalue: {{ .var }}\nzone: {{ template "zone" .region }}\n',
  );
  await writeFile(join(folder, 'values.yaml'), 'name: x\nregion: r\n');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

/** FOLDER stands for the folder of the test. */
const run = (line: string) => runLine(line.replaceAll('FOLDER', folder), env);

const CREATE = `kops create cluster --name=${NAME} --zones=us-east-1a --node-count=2 --cloud aws`;

const ENROLL = `kops toolbox enroll --cluster ${NAME} --instance-group nodes-us-east-1a --host 127.0.0.1`;

/** The line, the exit code, and what it prints. */
const LINES: readonly (readonly [line: string, code: number, prints: RegExp | string])[] = [
  ['kops version', 0, 'kopsctl '],
  ['kops version --short', 0, /^\d+\.\d+\.\d+\n$/],
  ['kops completion bash', 0, 'complete -o default'],
  ['kops completion zsh', 0, '#compdef kopsctl'],
  ['kops completion fish', 0, 'complete -c kopsctl'],
  ['kops completion fish --no-descriptions', 0, 'kopsctl __complete --no-descriptions -- $words'],
  ['kops completion zsh --no-descriptions', 0, 'kopsctl __complete --no-descriptions -- "${'],
  ['kops completion powershell', 0, 'Register-ArgumentCompleter'],
  ['kops get clusters', 1, 'holds no cluster'],
  [`${CREATE} --dry-run -oyaml`, 0, 'kind: Cluster'],
  [`${CREATE} --offline`, 0, `Created cluster/${NAME}`],
  [
    'kops create cluster g.example.com --cloud=gce --zones=us-central1-a --project=p --node-count=3 --node-size=e2-standard-2 --control-plane-count=3 --control-plane-size=e2-standard-4 --dry-run',
    0,
    'machineType: e2-standard-4',
  ],
  [
    `kops create cluster p.example.com --node-count 3 --zones us-east-1a --node-size m5.large --control-plane-size m5.large --control-plane-zones us-east-1a --networking cilium --topology private --bastion="true" --dry-run`,
    0,
    'role: Bastion',
  ],
  [
    'kops create cluster d.example.com --cloud digitalocean --zones nyc1 --control-plane-zones nyc1 --node-count 3 --yes',
    1,
    'digitalocean',
  ],
  ['kops version --server', 0, 'last: (none)'],
  [
    `kops create instancegroup --name=${NAME} node-example --role node --subnet us-east-1a --dry-run -oyaml`,
    0,
    'kind: InstanceGroup',
  ],
  [
    `kops create instancegroup --name=${NAME} node-example --role node --subnet us-east-1a --edit=false`,
    0,
    'Created instancegroup/node-example',
  ],
  [`kops create secret dockerconfig -f FOLDER/docker.json --name ${NAME}`, 0, 'created'],
  [`kops create secret dockerconfig -f FOLDER/docker.json --force --name ${NAME}`, 0, 'unchanged'],
  [`kops create secret dockerconfig ${NAME} -f FOLDER/docker.json`, 0, 'unchanged'],
  [`kops create secret ciliumpassword -f FOLDER/cilium --name ${NAME}`, 0, 'created'],
  [`kops create secret encryptionconfig -f FOLDER/encryption.yaml --name ${NAME}`, 0, 'created'],
  [`kops create secret encryptionconfig -f FOLDER/encryption.yaml --force --name ${NAME}`, 0, 'unchanged'],
  [`kops create sshpublickey ${NAME} -i FOLDER/id_ed25519.pub`, 0, 'Created sshpublickey/'],
  [`kops edit cluster ${NAME}`, 0, 'stays as it is'],
  [`kops edit cluster ${NAME} --set spec.kubernetesVersion=1.35.0`, 0, 'Changed cluster'],
  [`kops edit instancegroup --name ${NAME} node-example`, 0, 'stays as it is'],
  [`kops get ${NAME}`, 0, 'node-example'],
  [`kops get all ${NAME}`, 0, 'node-example'],
  [`kops get all ${NAME} -o yaml`, 0, 'kind: Cluster'],
  ['kops get assets', 0, /IMAGE +DOWNLOAD[^]*registry\.k8s\.io[^]*FILE +DOWNLOAD +SHA[^]*dl\.k8s\.io/],
  [`kops get assets ${NAME} -o json`, 0, '"images"'],
  [`kops get cluster ${NAME}`, 0, NAME],
  [`kops get cluster ${NAME} -o yaml`, 0, 'kind: Cluster'],
  ['kops get clusters', 0, NAME],
  ['kops get instancegroups', 0, 'node-example'],
  [`kops get instancegroups --name ${NAME} -o yaml`, 0, 'kind: InstanceGroup'],
  [`kops get instancegroups --name ${NAME} node-example`, 0, 'node-example'],
  ['kops get -o json ig node-example', 0, '"kind": "InstanceGroup"'],
  ['kops get secrets', 0, 'dockerconfig'],
  ['kops get secrets dockerconfig -oplaintext', 0, '{"auths"'],
  // kops keeps a token of an administrator there; here there are certificates.
  ['kops get secrets admin -oplaintext', 1, `kopsctl export kubeconfig ${NAME} --admin`],
  ['kops get sshpublickey', 0, 'ssh-ed25519'],
  [`kops get ssh ${NAME}`, 0, 'ssh-ed25519'],
  [`kops replace -f FOLDER/all.yaml`, 0, 'Unchanged'],
  [`kops replace -f FOLDER/all.yaml --force`, 0, 'Unchanged'],
  [`kops create -f FOLDER/all.yaml`, 1, 'Error: cannot create'],
  [`kops replace -f FOLDER/all.yaml,FOLDER/more.yaml --force`, 0, 'Created instancegroup/more'],
  [`kops delete -f FOLDER/more.yaml --yes`, 0, 'Deleted instancegroup/more'],
  [
    'kops create cluster z.example.com --cloud=gce --zones=us-central1-a,us-central1-b --project=p --offline --state file://FOLDER/gce',
    0,
    'Created cluster/z.example.com',
  ],
  [
    'kops create instancegroup zoned --name z.example.com --role node --subnet us-central1 --zone us-central1-b --dry-run --state file://FOLDER/gce',
    0,
    'zones:\n  - us-central1-b',
  ],
  [
    'kops toolbox template --values FOLDER/values.yaml --set var=1 --set-string region=q --snippets FOLDER/snippets --template FOLDER/template --output FOLDER/out.yaml',
    0,
    '',
  ],
  ['kops delete secret encryptionconfig', 0, 'Deleted secret/encryptionconfig'],
  ['kops delete secret ciliumpassword', 0, 'Deleted secret/ciliumpassword'],
  [`kops delete sshpublickey ${NAME}`, 0, 'Deleted sshpublickey/'],
  [`kops delete ig --name=${NAME} node-example`, 0, 'Would delete instancegroup/node-example'],
  [`kops delete ig --name=${NAME} node-example --yes`, 0, 'Deleted instancegroup/node-example'],
  // No keyset was made yet.
  ['kops create keypair all', 0, 'nothing to change'],
  [
    `kops create keypair kubernetes-ca --cert FOLDER/ca.pem --key FOLDER/ca-key.pem --name ${NAME} --state file://FOLDER/state`,
    1,
    'repeat the command with --primary',
  ],
  [`kops promote keypair kubernetes-ca --name ${NAME} --state file://FOLDER/state`, 1, 'find the keyset kubernetes-ca'],
  ['kops promote keypair all', 0, 'nothing to change'],
  ['kops distrust keypair all', 0, 'nothing to change'],
  ['kops distrust keypair kubernetes-ca 6977545226837259959403993899', 1, 'find the keyset kubernetes-ca'],
  ['kops trust keypair ca 6977545226837259959403993899', 1, 'find the keyset ca'],
  ['kops promote keypair service-account 5938372002934847', 1, 'find the keyset service-account'],
  ['kops get keypairs kubernetes-ca', 1, 'find the keyset kubernetes-ca'],
  ['kops get keypairs service-account --distrusted', 1, 'find the keyset service-account'],
  // The first pair of a keyset has to be primary.
  [`kops create keypair service-account --primary --name ${NAME}`, 0, 'service-account'],
  ['kops get keypairs service-account -o json', 0, '"notAfter"'],
  [
    'kops toolbox template --values FOLDER/values.yaml --template FOLDER/template --snippets FOLDER/snippets --set var=1 --set-string region=q --out FOLDER/other.yaml',
    0,
    '',
  ],
  [`kops toolbox template ${NAME} --config-value clusterName`, 0, NAME],
  [`kops export kubeconfig ${NAME} --admin`, 1, 'Error: cannot find the load balancer'],
  [`kops export kubeconfig ${NAME} --internal`, 1, 'kubernetes-ca'],
  [`kops export kubeconfig ${NAME} --user my-oidc-user`, 1, 'Error: cannot '],
  // What follows asks a cloud or a cluster that is not there.
  ['kops get instances', 1, 'credentials'],
  [`kops get instances ${NAME} --use-kubeconfig`, 1, 'credentials'],
  ['kops rolling-update cluster', 1, 'Error: '],
  [`kops rolling-update cluster ${NAME} --yes --cloudonly --force`, 1, 'Error: '],
  [`kops rolling-update cluster ${NAME} --yes --fail-on-validate-error="false"`, 1, 'Error: '],
  [`kops rolling-update cluster ${NAME} --yes --instance-group nodes-1a`, 3, 'it has no instance group nodes-1a'],
  [`kops rolling-update cluster ${NAME} --ig nodes-1a --instance-groups nodes-1b`, 3, 'it has no instance group'],
  [`kops rolling-update cluster ${NAME} --role node --roles node --instance-group-role node`, 1, 'Error: '],
  [`kops update cluster ${NAME} --state=file://FOLDER/state --yes`, 1, 'Error: '],
  [`kops upgrade cluster ${NAME} --yes --state=file://FOLDER/state`, 1, 'it was never applied'],
  [`kops reconcile cluster ${NAME} --state=file://FOLDER/state --yes`, 1, 'Error: '],
  ['kops delete instance --cloudonly i-0a5ed581b862d3425 --yes', 1, 'credentials'],
  ['kops delete instance i-0a5ed581b862d3425 --yes', 1, 'credentials'],
  ['kops validate cluster --wait 10m --count 3', 1, 'credentials'],
  [`kops validate cluster ${NAME} --use-kubeconfig`, 1, 'kubeconfig'],
  ['kops validate cluster --api-server https://127.0.0.1:1', 1, 'kubernetes-ca'],
  ['kops toolbox instance-selector my-spot-mig --usage-class spot --flexible', 1, 'credentials'],
  [
    'kops toolbox instance-selector ondemand-ig --vcpus-min=2 --vcpus-max=4 --memory-min 2gb --memory-max 4gb',
    1,
    'credentials',
  ],
  ['kops toolbox addons apply file://FOLDER/state/x/addons/bootstrap-channel.yaml', 1, 'does not hold'],
  ['kops toolbox addons list', 1, 'credentials'],
  [
    'kops create cluster --name x.example.com --cloud aws --zones us-east-1a --associate-public-ip false --dry-run',
    3,
    'it is named twice: x.example.com by --name, and false by position',
  ],
  ...[
    'get',
    'get clusters',
    'get all',
    'get instances',
    'delete cluster',
    'edit cluster',
    'update cluster --yes',
    'rolling-update cluster',
    'validate cluster',
    'create secret dockerconfig -f FOLDER/docker.json',
    'export kubeconfig',
    'toolbox dump',
  ].map((command): readonly [string, number, string] => [
    `kops ${command} --name ${NAME} other.example.com`,
    3,
    `it is named twice: ${NAME} by --name, and other.example.com by position`,
  ]),
  [`kops unset cluster --name ${NAME} other.example.com spec.sshAccess`, 3, 'it is named twice'],
  [`kops get clusters ${NAME} --name ${NAME}`, 0, NAME],
  [`kops toolbox dump --name ${NAME} --dir FOLDER/dump`, 0, 'Wrote '],
  [`kops toolbox dump --name ${NAME} -o json --max-nodes 10`, 1, 'credentials'],
  [`kops toolbox dump --name ${NAME} -o json --cloud-resources=false`, 0, '{}'],
  [
    `kops toolbox dump --name ${NAME} --dir FOLDER/dump2 --private-key FOLDER/values.yaml --ssh-user ubuntu --node-dump-timeout 10s --k8s-resources=false`,
    0,
    'machines.failed.txt',
  ],
  [`kops toolbox dump --name ${NAME} --dir FOLDER/dump3 --private-key FOLDER/nosuch`, 1, 'cannot read the private key'],
  [`kops toolbox dump --name ${NAME} --dir FOLDER/dump3 --ssh-user=-oProxyCommand=x`, 3, 'is not the name of a user'],
  [`kops toolbox enroll --name ${NAME}`, 3, 'required option'],
  [`${ENROLL} --pod-cidr 10.0.0.0/24`, 3, 'leave --pod-cidr out'],
  [`${ENROLL} --build-host`, 3, 'leave --build-host out'],
  [`${ENROLL} --api-server https://127.0.0.1:1 --use-kubeconfig`, 1, 'no API server is asked'],
  [`kops update cluster ${NAME} --yes --lifecycle-overrides SecurityGroup=Ignore ${NAME}`, 3, 'too many arguments'],
  ['kops delete cluster old.example.com --external --yes', 3, '--external needs --region'],
  ['kops create cluster x.example.com', 3, 'no cloud is named'],
  [`${CREATE} --dry-run -oyaml --channel FOLDER/channel`, 0, 'kubernetesVersion: 1.35.4'],
  [`${CREATE} --dry-run -oyaml --channel FOLDER/nosuch`, 1, 'cannot read the channel'],
  [`${CREATE} --dry-run -oyaml --channel alpha --offline`, 3, 'leave out --offline'],
  [`${CREATE} --dry-run -oyaml --channel none`, 3, 'recommends no version of Kubernetes'],
  [`kops delete cluster --name=${NAME}x.site --yes`, 1, `did you mean ${NAME}`],
  [`kops delete cluster ${NAME} --unregister -y`, 0, `Deleted cluster ${NAME}`],
];

test('lines of kops do what its documentation says', { timeout: 240_000 }, async () => {
  const wrong: string[] = [];
  for (const [line, code, prints] of LINES) {
    if (line.includes('FOLDER/all.yaml') && line.includes('replace -f FOLDER/all.yaml') && !line.includes('force')) {
      await writeFile(join(folder, 'all.yaml'), (await run(`kops get all ${NAME} -o yaml`)).stdout);
    }
    const ended = await run(line);
    const text = `${ended.stdout}${ended.stderr}`;
    const isPrinted =
      typeof prints === 'string' ? text.includes(prints.replaceAll('FOLDER', folder)) : prints.test(text);
    if (ended.code !== code || !isPrinted) wrong.push(`${line}\n  exit ${ended.code}: ${text.slice(0, 600)}`);
  }
  expect(wrong).toEqual([]);
  expect(await readFile(join(folder, 'out.yaml'), 'utf8')).toBe('name: x\nvalue: 1\nzone: q-a\n');
});
