/** How to find the image that a spec names. */
export type ImageName =
  | { readonly by: 'id'; readonly id: string }
  /** A Systems Manager parameter that holds the id of the image. */
  | { readonly by: 'parameter'; readonly parameter: string }
  /** The newest image of that name and owner: anybody may publish an image under any name. */
  | { readonly by: 'name'; readonly name: string; readonly owner: string };

/** EC2's word for the account that asks. */
const OWN_ACCOUNT = 'self';

/** Accounts that publish images, by the alias that an image name begins with (kops upup/pkg/fi/cloudup/awsup). */
const OWNERS: Readonly<Record<string, string>> = {
  amazon: 'amazon',
  'amazon.com': 'amazon',
  kope: '383156758163',
  'kope.io': '383156758163',
  debian: '136693071363',
  debian10: '136693071363',
  debian11: '136693071363',
  debian12: '136693071363',
  debian13: '136693071363',
  ubuntu: '099720109477',
  centos: '125523088429',
  redhat: '309956199498',
  'redhat.com': '309956199498',
  flatcar: '075585003325',
  rocky: '792107900819',
  rockylinux: '792107900819',
  coreos: '595879546273',
};

/** Parses `ami-…`, `ssm:/a/parameter`, or `<owner>/<name>`, where the owner is an account id or an alias; without it, this account. */
export function findImage(image: string): ImageName {
  if (image.startsWith('ami-')) return { by: 'id', id: image };
  if (image.startsWith('ssm:')) return { by: 'parameter', parameter: image.slice('ssm:'.length) };
  const slash = image.indexOf('/');
  if (slash < 0) return { by: 'name', name: image, owner: OWN_ACCOUNT };
  const prefix = image.slice(0, slash);
  // The names of Canonical's images begin with the alias, so it is part of the name as well.
  if (prefix === 'ubuntu' && !image.startsWith('ubuntu/ubuntu/')) {
    return { by: 'name', name: image, owner: OWNERS['ubuntu'] ?? prefix };
  }
  return { by: 'name', name: image.slice(slash + 1), owner: OWNERS[prefix] ?? prefix };
}
