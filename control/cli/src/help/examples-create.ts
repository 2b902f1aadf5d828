import type { Examples } from './example.ts';

/** `create`, `edit`, `set`, `replace`, `delete`: what is in the state store. */
export const CREATE_EXAMPLES: Examples = {
  create: [
    ['Store the objects of a file', 'create -f cluster.yaml'],
    ['Store those of two files', 'create -f cluster.yaml,groups.yaml'],
  ],
  'create cluster': [
    [
      'Store a cluster, and show what making it takes',
      'create cluster demo.example.com --zones eu-west-1a --state s3://my-state',
    ],
    [
      'Make a cluster with three control planes',
      'create cluster demo.example.com --cloud aws --zones eu-west-1a,eu-west-1b,eu-west-1c --control-plane-count 3 --yes',
    ],
    [
      'Write a spec without storing anything',
      'create cluster demo.example.com --cloud gce --zones us-east1-b --dry-run -o yaml',
    ],
    [
      'Private machines behind a bastion',
      'create cluster demo.example.com --cloud aws --zones eu-west-1a --topology private --bastion',
    ],
  ],
  'create instancegroup': [
    [
      'Add a group of workers in one subnet, and edit it',
      'create instancegroup gpu --role node --subnet eu-west-1a --name demo.example.com',
    ],
    ['See it first', 'create ig gpu --role node --subnet eu-west-1a --dry-run -o yaml'],
  ],
  'create keypair': [
    ['Add a key pair to every keyset that can be rotated', 'create keypair all --name demo.example.com'],
    ['Add a certificate of your own', 'create keypair kubernetes-ca --cert ca.pem --key ca-key.pem'],
  ],
  'create secret ciliumpassword': [
    ['Store the keys of encrypted pod traffic', 'create secret ciliumpassword -f keys.txt --name demo.example.com'],
  ],
  'create secret dns-update-key': [
    ['Store the key of a name server', 'create secret dns-update-key -f tsig.key --name demo.example.com'],
  ],
  'create secret dockerconfig': [
    [
      'Store the credentials of registries',
      'create secret dockerconfig -f ~/.docker/config.json --name demo.example.com',
    ],
    ['Replace them', 'create secret dockerconfig -f ~/.docker/config.json --force'],
  ],
  'create secret encryptionconfig': [
    ['Encrypt Secrets in etcd', 'create secret encryptionconfig -f encryption.yaml --name demo.example.com'],
  ],
  'create secret etcd-backup-key': [
    ['Encrypt backups of etcd', 'create secret etcd-backup-key -f key.txt --name demo.example.com'],
  ],
  'create sshpublickey': [
    ['Let a key log in to the machines', 'create sshpublickey demo.example.com -i ~/.ssh/id_ed25519.pub'],
  ],
  'edit cluster': [
    ['Change the spec in your editor', 'edit cluster demo.example.com'],
    ['Change a field without one', 'edit cluster demo.example.com --set spec.kubernetesVersion=1.36.3'],
  ],
  'edit instancegroup': [
    ['Change a group in your editor', 'edit instancegroup nodes --name demo.example.com'],
    ['Change its size without one', 'edit ig nodes --set spec.maxSize=10'],
  ],
  'set cluster': [['Change a field', 'set cluster demo.example.com spec.channel=alpha']],
  'set instancegroup': [
    ['Change two fields', 'set instancegroup nodes spec.minSize=2 spec.maxSize=10 --name demo.example.com'],
  ],
  'unset cluster': [['Remove a field', 'unset cluster demo.example.com spec.sshAccess']],
  'unset instancegroup': [['Remove a field', 'unset instancegroup nodes spec.maxPrice --name demo.example.com']],
  replace: [
    ['Replace stored objects with those of a file', 'replace -f cluster.yaml'],
    ['See what that would change', 'replace -f cluster.yaml --dry-run'],
    ['Create those that are missing too', 'replace -f cluster.yaml --force'],
  ],
  delete: [
    ['Show what deleting the objects of a file takes', 'delete -f cluster.yaml'],
    ['Delete them', 'delete -f cluster.yaml --yes'],
  ],
  'delete cluster': [
    ['Show all that a cluster has in its cloud', 'delete cluster demo.example.com'],
    ['Delete it', 'delete cluster demo.example.com --yes'],
    [
      'Delete what is left of one that no state store holds',
      'delete cluster demo.example.com --external --region eu-west-1 --yes',
    ],
  ],
  'delete instance': [
    ['Drain a machine and delete it', 'delete instance i-0a5ed581b862d3425 --yes'],
    ['Delete one while the API is away', 'delete instance i-0a5ed581b862d3425 --cloudonly --yes'],
  ],
  'delete instancegroup': [
    ['Take a group out of the spec', 'delete instancegroup nodes --name demo.example.com --yes'],
  ],
  'delete secret': [['Delete a secret at once', 'delete secret encryptionconfig --name demo.example.com']],
  'delete sshpublickey': [['Remove the keys that may log in to new machines', 'delete sshpublickey demo.example.com']],
};
