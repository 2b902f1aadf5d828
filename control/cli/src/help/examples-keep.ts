import type { Examples } from './example.ts';

/** `apply`, `update`, `rolling-update`, keys and etcd: what makes a cluster and keeps it. */
export const KEEP_EXAMPLES: Examples = {
  apply: [
    ['Show what a spec would change', 'apply -f cluster.yaml'],
    ['Apply it, and wait until the cluster is valid', 'apply -f cluster.yaml --yes'],
    ['Do exactly what a saved plan says', 'apply cluster.plan'],
  ],
  plan: [
    ['Save what would be changed', 'plan -f cluster.yaml --out cluster.plan'],
    ['Exit with 2 if changes are pending', 'plan --name demo.example.com --exit-code'],
  ],
  'update cluster': [
    ['Show what applying a stored cluster would change', 'update cluster demo.example.com'],
    ['Apply it', 'update cluster demo.example.com --yes'],
    ['Write it as files for Terraform', 'update cluster demo.example.com --target terraform --out ./terraform'],
    ['Leave security groups alone', 'update cluster demo.example.com --lifecycle-overrides SecurityGroup=Ignore --yes'],
  ],
  'rolling-update cluster': [
    ['Show which machines are outdated', 'rolling-update cluster demo.example.com'],
    ['Replace them', 'rolling-update cluster demo.example.com --yes'],
    ['Replace those of one group only', 'rolling-update cluster demo.example.com --instance-group nodes-1a --yes'],
  ],
  'rolling-update status': [['Show how far the rolling update is', 'rolling-update status demo.example.com']],
  'rolling-update pause': [['Pause after the machines that are under way', 'rolling-update pause demo.example.com']],
  'rolling-update resume': [['Resume a rolling update', 'rolling-update resume demo.example.com']],
  'rolling-update abort': [['Put back what can be put back', 'rolling-update abort demo.example.com']],
  'promote keypair': [['Let the newest key pairs sign', 'promote keypair all --name demo.example.com']],
  'distrust keypair': [
    ['Distrust all that are older than the one that signs', 'distrust keypair all --name demo.example.com'],
    ['Distrust one of them', 'distrust keypair kubernetes-ca 6977545226837259959403993899'],
  ],
  'trust keypair': [['Trust one again', 'trust keypair kubernetes-ca 6977545226837259959403993899']],
  'keypair rotate': [
    ['Say what is next', 'keypair rotate demo.example.com'],
    ['Exchange all key pairs, step by step', 'keypair rotate demo.example.com --yes'],
  ],
  'etcd status': [['Show what each manager says', 'etcd status --name demo.example.com']],
  'etcd doctor': [['Say what is wrong with etcd, and what to do', 'etcd doctor --name demo.example.com']],
  'etcd list-backups': [['List backups of the main cluster', 'etcd list-backups --etcd-cluster main']],
  'etcd backup': [['Back up now', 'etcd backup --name demo.example.com']],
  'etcd verify': [['Try the newest backup', 'etcd verify --name demo.example.com']],
  'etcd defrag': [['Make the databases smaller', 'etcd defrag --name demo.example.com']],
  'etcd restore-backup': [
    ['Show what restoring a backup would do', 'etcd restore-backup 2026-11-01T00:00:00Z-000001'],
    ['Restore it', 'etcd restore-backup 2026-11-01T00:00:00Z-000001 --yes'],
  ],
};
