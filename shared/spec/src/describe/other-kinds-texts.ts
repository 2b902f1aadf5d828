/** What fields of kinds other than Cluster and InstanceGroup are for, by their path below the spec. */
export const KEYSET_TEXTS: Readonly<Record<string, string>> = {
  keys: 'The key pairs or secrets. All that are not distrusted are accepted, so that one can take the place of another.',
  'keys.distrustTimestamp': 'When the key pair was distrusted. Without it, the key pair is trusted.',
  'keys.id': 'The name of the key within the keyset.',
  'keys.privateMaterial': 'The private key or the secret, in base64.',
  'keys.publicMaterial': 'The certificate of the private key, in base64.',
  primaryId: 'The id of the key that signs what is signed from now on.',
  type: 'What the keys are: Keypair or Secret.',
};

export const SSH_CREDENTIAL_TEXTS: Readonly<Record<string, string>> = {
  publicKey: 'The public key, as it is written in authorized_keys.',
};

export const HOST_TEXTS: Readonly<Record<string, string>> = {
  instanceGroup: 'The instance group whose settings the machine gets.',
  podCIDRs: 'The ranges of addresses of the pods that run on the machine.',
  publicKey: 'The public key by which the machine is known when it joins, in PEM.',
};
