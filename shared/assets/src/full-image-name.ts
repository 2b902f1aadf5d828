/** Docker's short names in full, as containerd keeps them (reference.ParseDockerRef): busybox:1.35 is docker.io/library/busybox:1.35. */
export function fullImageName(image: string): string {
  const [first = '', ...rest] = image.split('/');
  if (rest.length === 0) return `docker.io/library/${image}`;
  return first.includes('.') || first.includes(':') || first === 'localhost' ? image : `docker.io/${image}`;
}
