/** Before the path of a resource of Compute Engine, where its whole URL is wanted. */
export const COMPUTE_URL = 'https://www.googleapis.com/compute/v1/';

/**
 * The URL of an image: `name` is one of the cluster's project, `project/name` one of another, and `projects/…` or a URL is
 * taken as it is (a family too: `projects/p/global/images/family/f`). Undefined for any other text.
 */
export function imageUrl(image: string, project: string): string | undefined {
  if (/^https:\/\/(www|compute)\.googleapis\.com\/compute\/[a-z0-9]+\/projects\/[^\s"]+$/.test(image)) return image;
  if (/^projects\/[^/]+\/global\/images\/(family\/)?[^/]+$/.test(image)) return COMPUTE_URL + image;
  const parts = image.split('/');
  if (parts.length > 2 || parts.some((part) => !/^[a-z][a-z0-9:.-]*$/.test(part))) return undefined;
  const [owner = '', name = ''] = parts.length === 1 ? [project, image] : parts;
  return `${COMPUTE_URL}projects/${owner}/global/images/${name}`;
}

/** The last part, which says what runs there: `ubuntu-2404-noble-amd64-v20260615`. */
export const imageName = (image: string): string => image.slice(image.lastIndexOf('/') + 1);
