import { certManagerImage } from '@kopsctl/model/addons/cert-manager.ts';
import { kubeDnsImage } from '@kopsctl/model/addons/kube-dns.ts';
import { DNS_AUTOSCALER_IMAGE, NODE_LOCAL_DNS_IMAGE } from '@kopsctl/spec/complete/addons.ts';
import { parseImage } from '@kopsctl/spec/image-reference.ts';
import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import type { PublishedImage } from './from-registry.ts';
import { bare, factsOf } from './wanted-versions.ts';

interface PulledImage {
  readonly reference: string;
  /** Completes "it is not made here: …". */
  readonly whyNotMade: string;
}

const pulled = (references: readonly string[], whyNotMade: string): readonly PulledImage[] =>
  references.map((reference) => ({ reference, whyNotMade }));

/** Images that only their registries have, in the versions that addons ask for. To add one is to add a row. */
const PULLED_IMAGES: readonly PulledImage[] = [
  ...pulled([DNS_AUTOSCALER_IMAGE], 'the Go module proxy refuses the paths of its module'),
  ...pulled(
    [NODE_LOCAL_DNS_IMAGE, ...['dnsmasq-nanny', 'kube-dns', 'sidecar'].map(kubeDnsImage)],
    'the Go module proxy refuses k8s.io/dns',
  ),
  ...pulled(
    ['acmesolver', 'cainjector', 'controller', 'webhook'].map((part) =>
      certManagerImage({ kubernetes: factsOf(RECOMMENDED_KUBERNETES) }, part),
    ),
    'its program is a module within the repository of cert-manager that has no versions',
  ),
];

interface PulledRow extends Pick<PulledImage, 'whyNotMade'> {
  readonly published: PublishedImage;
}

/** A row for each image that is pulled and never made here. */
export const pulledImageRows = (): readonly PulledRow[] =>
  PULLED_IMAGES.map(({ reference, whyNotMade }) => {
    const { repository, tag = '' } = parseImage(reference);
    const name = repository.split('/').at(-1) ?? '';
    return { published: { thing: `image/${name}`, name, version: bare(tag), reference }, whyNotMade };
  });
