import { CLOUDS } from '@kopsctl/clouds/control.ts';
import type { CloudFailure } from '@kopsctl/model/failure-words.ts';

/** A cause that texts of kubelet, containerd, systemd, nodeup and clouds reveal, whichever of them wrote the text. */
export interface KnownCause {
  readonly name: string;
  readonly what: string;
  readonly next: string;
}

/** What all texts say of it; clouds add words of their own by its name (`failureWords`). */
type Entry = KnownCause & { readonly pattern: RegExp };
/** Only clouds have words for it. */
type OfClouds = KnownCause & { readonly name: CloudFailure; readonly pattern?: never };

/** The first that a text reveals is its cause: more specific ones come first. */
const KNOWN_CAUSES: readonly (Entry | OfClouds)[] = [
  {
    name: 'full-disk',
    pattern: /no space left on device|\bENOSPC\b|\bDiskPressure\b|has disk pressure|not enough space/i,
    what: 'a disk of the machine is full',
    next: 'make room there: `df -h` and, if that shows room, `df -i` on the machine tell which file system has no blocks or no inodes left; or give its instance group a larger disk (spec.rootVolume.size, v1alpha2: spec.rootVolumeSize) and replace the machine: `kopsctl delete instance NODE --yes`',
  },
  {
    // etcd 3.x refuses writes and raises the alarm NOSPACE when its database reaches --quota-backend-bytes.
    name: 'etcd-quota',
    pattern: /mvcc: database space exceeded|alarm:NOSPACE/,
    what: 'etcd has reached its quota, and refuses writes',
    next: 'look at `kopsctl etcd doctor`: it says how large each etcd is, and how to make room',
  },
  {
    name: 'etcd-data',
    pattern: /failed to open database|invalid database|walpb: crc mismatch|failed to read WAL, cannot be repaired/,
    what: 'the data of an etcd on the machine is damaged',
    next: 'look at `kopsctl etcd doctor`: where other members have a quorum, `kopsctl delete instance NODE --yes` replaces the machine; otherwise restore a backup (`kopsctl etcd list-backups`)',
  },
  {
    // A webhook that does not answer stops what it is asked about, even the leases of kubelets.
    name: 'webhook',
    pattern: /failed calling webhook|admission webhook \S+ denied the request/,
    what: 'an admission webhook refuses what is asked of the API server, or does not answer it',
    next: 'look at the pods of the webhook that the error names; `kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations` lists all webhooks; deleting its configuration disables one',
  },
  {
    name: 'expired-certificate',
    pattern: /certificate has expired|CERT_HAS_EXPIRED|x509: .*expired/i,
    what: 'a certificate has expired, or the clock of the machine is wrong',
    next: 'compare the clock of the machine (`timedatectl`); `kopsctl validate cluster` tells which certificates of the cluster have expired, `kopsctl keypair rotate` exchanges their authorities',
  },
  {
    name: 'wrong-clock',
    pattern: /certificate is not yet valid|CERT_NOT_YET_VALID|not yet valid: current time|clock skew/i,
    what: 'the clock of the machine is wrong',
    next: 'set the clock of the machine, and check that its time service runs (`timedatectl`)',
  },
  {
    name: 'untrusted-certificate',
    pattern:
      /certificate signed by unknown authority|unable to (?:verify|get local issuer)|self[- ]signed certificate/i,
    what: 'the machine does not trust the server that it connects to',
    next: 'check whether a proxy is in between, and whether the machine runs its group’s current plan (`kopsctl get nodes`)',
  },
  {
    name: 'key-pair',
    pattern: /private key (?:type )?does not match public key/,
    what: 'a certificate of the machine does not match its key',
    next: '`systemctl restart nodeup` on the machine issues a new one',
  },
  {
    name: 'wrong-hash',
    pattern:
      /returned other content \(sha256|sha-?256.*(?:differ|expected|instead|wrong|does not match|mismatch)|(?:wrong|unexpected) (?:hash|sha-?256)/i,
    what: 'a download is not what the plan of the machine pins',
    next: 'look at the server or mirror that the error names; once it has the right file, nodeup goes on by itself',
  },
  {
    name: 'flags',
    pattern:
      /unknown (?:shorthand )?flag|failed to parse \w+ flag|failed to load kubelet config|failed to unmarshal TOML|invalid argument "[^"]*" for "--|unknown (?:admission )?plugin/i,
    what: 'a program does not understand its flags or its configuration',
    next: 'look at what the spec sets for it (`kopsctl get cluster -o yaml`), and check that its version supports that; if a person changed its file, `systemctl restart nodeup` on the machine writes it as planned',
  },
  {
    // Its socket is not there, or nobody listens: that is no file that was to be published, and nothing in the network.
    name: 'runtime',
    pattern: /dial unix \S*\/(?:containerd|docker|cri-dockerd)\.sock/,
    what: 'the container runtime of the machine does not run',
    next: 'look at `journalctl -u containerd` (or docker) on the machine; `systemctl restart containerd` starts it',
  },
  {
    name: 'machine-image',
    what: 'the image that machines are made from is not there',
    next: 'set spec.image of the instance group to one that its region and account have, then `kopsctl update cluster --yes`',
  },
  {
    name: 'machine-type',
    what: 'the machine type is not offered there',
    next: 'choose another spec.machineType, or subnets in zones that have it (spec.subnets of the instance group), then `kopsctl update cluster --yes`',
  },
  {
    name: 'architecture',
    what: 'the image is made for another processor architecture than the machine type has',
    next: 'choose a spec.image and a spec.machineType of the same architecture, then `kopsctl update cluster --yes`',
  },
  {
    name: 'addresses',
    what: 'a subnet has no free addresses left',
    next: 'give the instance group another subnet (spec.subnets), or free addresses in the one that the error names',
  },
  {
    name: 'spot-price',
    what: 'spot machines cost more than the instance group may pay',
    next: 'raise or remove spec.maxPrice of the instance group, then `kopsctl update cluster --yes`',
  },
  {
    name: 'lost-resource',
    what: 'something that the cluster needs for its machines is no longer in the cloud',
    next: '`kopsctl update cluster` shows what is missing; with `--yes` it makes that again, if it is the cluster’s own',
  },
  {
    name: 'volume-key',
    what: 'the key that the volumes of the machine are encrypted with cannot be used',
    next: 'look at the key and its policy: the group of machines must be permitted to use it (spec.rootVolume.encryptionKey, v1alpha2: spec.rootVolumeEncryptionKey)',
  },
  {
    name: 'policy',
    what: 'a policy of the organization forbids what the machine needs',
    next: 'change the spec so that it satisfies the constraint that the error names, or have the project exempted from it',
  },
  {
    // Go's resolver, whatever the name was needed for. That a name does not exist is an answer.
    name: 'silent-dns',
    pattern:
      /lookup \S+(?: on \S+)?: .*(?:i\/o timeout|connection refused|server misbehaving)|EAI_AGAIN|Temporary failure in name resolution/,
    what: 'the DNS servers of the machine do not answer',
    next: 'look at the servers that /etc/resolv.conf on the machine names (`resolvectl status`), and check that its network and firewall let it reach them',
  },
  {
    name: 'image',
    pattern:
      /ErrImagePull|ImagePullBackOff|InvalidImageName|failed to pull (?:and unpack )?image|manifest unknown|pull access denied/i,
    what: 'an image cannot be pulled',
    next: 'check the name and version of the image in the spec, and that the machine can reach its registry (spec.assets.containerRegistry, spec.containerd.registryMirrors)',
  },
  {
    name: 'pod-network',
    pattern:
      /NetworkPluginNotReady|network plugin is not ready|NetworkReady=false|cni (?:plugin|config)\w* (?:not initialized|uninitialized)|failed to (?:find|load) (?:plugin|CNI)/i,
    what: 'the pod network of the machine is not set up',
    next: 'look at the pods of the network addon (`kopsctl get addons`), and at spec.networking',
  },
  {
    name: 'memory',
    pattern: /OOMKilled|oom-kill|Out of memory:|\bMemoryPressure\b/,
    what: 'the machine has too little memory',
    next: 'give its instance group a larger spec.machineType, or reserve less for pods',
  },
  {
    name: 'kernel-panic',
    pattern: /Kernel panic - not syncing|Entering emergency mode|You are in emergency mode/,
    what: 'the operating system of the machine has stopped',
    next: 'replace the machine with `kopsctl delete instance NODE --yes`; if the next one stops too, look at the image of its instance group (spec.image)',
  },
  {
    name: 'quota',
    pattern: /quota|sufficient .* capacity/i,
    what: 'the cloud lacks capacity for the machine, or a quota is exhausted',
    next: 'ask the cloud for a higher quota, or choose another spec.machineType or zone',
  },
  {
    name: 'unauthenticated',
    pattern: / kubelet\[.*\bUnauthorized\b/,
    what: 'the API server does not accept its certificate: it has expired, or is from another CA',
    next: 'look at the dates of /var/lib/kubelet/pki/kubelet-client.crt and at the clock of the machine; node authorities exchange it when they call (`journalctl -u protokube` there, `journalctl -u node-authority` on control planes)',
  },
  {
    name: 'refused',
    pattern: /Access ?Denied|\b403\b|Forbidden|not authorized|permission denied \(publickey\)|Unauthorized|\b401\b/i,
    what: 'the machine lacks a right that it needs',
    next: 'apply the rights of the cluster with `kopsctl update cluster --yes`, and look at what the error names',
  },
  {
    name: 'unresolved-name',
    pattern: /ENOTFOUND|no such host|could not resolve|server misbehaving/i,
    what: 'a name cannot be resolved on the machine',
    next: 'look at the names that the cluster keeps (`kopsctl get nodes`, column DISCOVERY), and at the DNS servers of the machine’s network',
  },
  {
    name: 'unreachable',
    pattern:
      /ECONNREFUSED|connection refused|ETIMEDOUT|i\/o timeout|EHOSTUNREACH|ENETUNREACH|no route to host|context deadline exceeded|no answer within|connection timed out/i,
    what: 'the machine cannot reach something that it needs',
    next: 'check the address that the error names: that something serves there, and that routes, firewall rules and security groups let the machine through',
  },
  {
    name: 'cgroup-v1',
    pattern: /cgroup v1/i,
    what: 'the machine runs cgroup v1, which its kubelet refuses',
    next: 'use an image with cgroup v2, or a kubelet configuration that permits version 1',
  },
  {
    name: 'inotify',
    pattern: /inotify|too many open files/i,
    what: 'the machine is at a limit of open files or of inotify instances',
    next: 'raise fs.inotify.max_user_instances and fs.inotify.max_user_watches (spec.sysctlParameters)',
  },
  {
    name: 'missing-file',
    pattern: /\bENOENT\b|no such file or directory|file not found|\b404\b/i,
    what: 'a file that the machine needs is not where it is looked for',
    next: 'check that the file was published at the path or address that the error names, and in that version',
  },
  {
    // Why is in the log of the container, which kubelet does not quote.
    name: 'ends-again',
    pattern: /CrashLoopBackOff/,
    what: 'a container ends again and again',
    next: 'look at its log: `kubectl logs --previous`, or /var/log/pods on the machine',
  },
];

/** The words of each cause, by its name: what all texts say of it, then what clouds do. */
const WORDS: ReadonlyMap<string, readonly RegExp[]> = new Map(
  KNOWN_CAUSES.map(({ name, pattern }) => [
    name,
    [
      ...(pattern === undefined ? [] : [pattern]),
      ...CLOUDS.flatMap(({ failureWords = {} }) =>
        Object.entries(failureWords).flatMap(([failure, words]) => (failure === name ? [words] : [])),
      ),
    ],
  ]),
);

/** Whether a text reveals that cause, whatever else it reveals. */
export const reveals = (text: string, { name }: KnownCause): boolean =>
  WORDS.get(name)?.some((words) => words.test(text)) === true;

/** Undefined for a text that reveals nothing. */
export const causeOf = (text: string): KnownCause | undefined => KNOWN_CAUSES.find((cause) => reveals(text, cause));
