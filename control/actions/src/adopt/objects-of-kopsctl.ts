/** What kopsctl and its agents write into the store of a kops cluster and kops does not have. Backups are not included. */
const OURS: readonly RegExp[] = [
  /^addons\/kopsctl\//,
  /^manifests\/kopsctl\//,
  /^(?:node-plans|worker-plans|nodes|user-data)\//,
  /^(?:node-marks|node-authority|file-hashes|keypair-rotation)\.json$/,
  /^pki\/private\/(?:kubelet-serving-ca|node-authority-ca|gossip-records-ca)\//,
  /^pki\/issued\/[^/]+\/keyset\.yaml$/,
  /^secrets\/gossip-key/,
  /^lock$/,
];

/** kops up to 1.21 wrote the public halves of keysets too. */
const MAY_BE_OF_KOPS = /^pki\/issued\//;

/**
 * The objects that kops and its machines do without, in the order in which they are deleted. An object that neither
 * kops nor kopsctl has written stays. Pure.
 *
 * @param paths below the cluster's folder
 * @param ofKops what the store held when the cluster was taken over; undefined where that was not written down
 * @param last ours in any case, and deleted after everything else
 */
export function objectsOfKopsctl(
  paths: readonly string[],
  ofKops: readonly string[] | undefined,
  last: readonly string[],
): readonly string[] {
  const kept = new Set(ofKops);
  const ours = paths.filter(
    (path) =>
      last.includes(path) ||
      (OURS.some((one) => one.test(path)) && !kept.has(path) && (ofKops !== undefined || !MAY_BE_OF_KOPS.test(path))),
  );
  return [...ours.filter((path) => !last.includes(path)), ...last.filter((path) => ours.includes(path))];
}
