import type { Examples } from './example.ts';

/** `get`, `explain`, `validate`, `export`: commands that show something. */
export const SHOW_EXAMPLES: Examples = {
  get: [['Show a cluster and its groups', 'get demo.example.com']],
  'get addons': [['Show which addons a cluster has applied', 'get addons --name demo.example.com']],
  'get all': [
    ['Show a cluster and its groups', 'get all demo.example.com'],
    ['Save them', 'get all demo.example.com -o yaml'],
  ],
  'get assets': [
    ['Show what machines download', 'get assets --name demo.example.com'],
    ['Copy it to the registry and the bucket of spec.assets', 'get assets --copy --name demo.example.com'],
  ],
  'get clusters': [
    ['List the clusters of a state store', 'get clusters --state s3://my-state'],
    ['Show the completed spec of one', 'get clusters demo.example.com --full -o yaml'],
  ],
  'get instancegroups': [
    ['List the groups of a cluster', 'get instancegroups --name demo.example.com'],
    ['Show one', 'get ig nodes -o yaml'],
  ],
  'get instances': [['List machines, and which of them are outdated', 'get instances --name demo.example.com']],
  'get keypairs': [
    ['List key pairs', 'get keypairs --name demo.example.com'],
    ['List those of one keyset, with distrusted ones', 'get keypairs service-account --distrusted'],
  ],
  'get machines': [['List the machines of a cluster', 'get machines --name demo.example.com']],
  'get nodeplans': [
    ['List the plans of all instance groups', 'get nodeplans --name demo.example.com'],
    ['Show what machines of one group are told to be', 'get nodeplan nodes -o yaml'],
  ],
  'get nodes': [
    ['Show how every machine is doing', 'get nodes --name demo.example.com'],
    ['With hardware, operating system and network', 'get nodes -o wide'],
  ],
  'get secrets': [
    ['List the names of secrets', 'get secrets --name demo.example.com'],
    ['Print one', 'get secrets dockerconfig -o plaintext'],
  ],
  'get sshpublickeys': [['List who may log in to machines', 'get sshpublickeys demo.example.com']],
  explain: [
    ['Walk the fields of a Cluster', 'explain cluster'],
    ['Say what a field is for', 'explain cluster spec.networking'],
    ['Do the same for a field of v1alpha3', 'explain instancegroup spec.rootVolume --api-version v1alpha3'],
    ['Say where a value of a stored cluster came from', 'explain cluster demo.example.com spec.podCIDR'],
    ['Do the same for an instance group', 'explain instancegroup nodes spec.image --name demo.example.com'],
  ],
  'validate cluster': [
    ['Say what is wrong with a cluster', 'validate cluster demo.example.com'],
    ['Wait until it is valid three times in a row', 'validate cluster --wait 10m --count 3'],
  ],
  'export kubeconfig': [
    ['Let kubectl talk to a cluster as its administrator', 'export kubeconfig demo.example.com --admin'],
    ['For an hour', 'export kubeconfig demo.example.com --admin=1h'],
    ['Every cluster of the state store', 'export kubeconfig --all'],
    ['As a user that the kubeconfig has', 'export kubeconfig demo.example.com --user my-oidc-user'],
  ],
  verify: [
    ['Check all files of a release', 'verify ./kopsctl-0.1.0 --key release-key.pub'],
    ['Check one of them', 'verify ./kopsctl-linux-amd64 --key release-key.pub'],
  ],
  version: [
    ['Print the version', 'version'],
    ['And the one that applied a cluster last', 'version --server --name demo.example.com'],
  ],
  'completion bash': [['Complete command lines in this shell', 'completion bash']],
  'completion fish': [['Complete command lines in fish', 'completion fish']],
  'completion powershell': [['Complete command lines in PowerShell', 'completion powershell']],
  'completion zsh': [['Complete command lines in zsh', 'completion zsh']],
};
