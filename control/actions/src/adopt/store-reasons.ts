/** Why kopsctl writes an object of the state store that kops does not have, by the beginning of its path. */
const REASONS: readonly { readonly path: RegExp; readonly why: string }[] = [
  { path: /^manifests\/kopsctl\/adopted\.json$/, why: 'says that kopsctl has taken the cluster over' },
  { path: /^manifests\/kopsctl\/version\.txt$/, why: 'which kopsctl applied the cluster last' },
  { path: /^manifests\/kopsctl\/cluster\.spec$/, why: 'the completed spec, beside the one of kops' },
  { path: /^addons\/kopsctl\//, why: 'addons that protokube applies, beside those of kops' },
  { path: /^node-plans\//, why: 'what a machine of the group is to be: nodeup reads it in place of igconfig/' },
  { path: /^worker-plans\//, why: 'the same for workers, which may read nothing else of the store' },
  { path: /^node-marks\.json$/, why: 'labels and taints of each group, which kops-controller used to set' },
  { path: /^node-authority\.json$/, why: 'what workers must prove and what they get, in place of kops-controller' },
  { path: /^file-hashes\.json$/, why: 'hashes of what machines download' },
  { path: /^pki\/issued\//, why: 'the certificates of a keyset without its keys, which workers may have' },
  { path: /^pki\/private\/kubelet-serving-ca\//, why: 'signs the certificates with which kubelets serve' },
  { path: /^pki\/private\/node-authority-ca\//, why: 'signs the certificates by which workers know an authority' },
  { path: /^pki\/private\/gossip-records-ca\//, why: 'signs the names that machines tell each other by gossip' },
  { path: /^secrets\//, why: 'a secret of machines of kopsctl' },
];

/** Why an object is written; undefined where kops has it too, or where no reason is given. */
export const whyStored = (path: string): string | undefined => REASONS.find((one) => one.path.test(path))?.why;
