/** The root of an image, before anything is added for one image alone. */
export type Base = 'agnhost' | 'dns' | 'nginx' | 'busybox' | 'empty';

/** Packages of Debian in each root, with all that they depend on. The root of busybox is that of the image in the assets. */
export const BASES: Readonly<Record<Exclude<Base, 'empty' | 'busybox'>, readonly string[]>> = {
  // What upstream installs from Alpine.
  agnhost: ['bash', 'bind9-dnsutils', 'curl', 'iperf', 'iproute2', 'netcat-openbsd', 'util-linux', 'ca-certificates'],
  dns: ['bind9-dnsutils'],
  nginx: ['nginx-light'],
};

/** An image that the suite's pods run, made here in place of the published one. */
export interface TestImage {
  readonly reference: string;
  readonly base: Base;
  /** Names of programs (see programs.ts), by their place in the image. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Files of Kubernetes' own repository, by their place in the image. */
  readonly files?: Readonly<Record<string, string>>;
  readonly texts?: Readonly<Record<string, string>>;
  readonly links?: Readonly<Record<string, string>>;
  readonly folders?: readonly string[];
  /** Programs that run as the owner and the group of their files. */
  readonly setuid?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly user?: string;
}

const REGISTRY = 'registry.k8s.io/e2e-test-images';

const PASSWD = [
  'root:x:0:0:root:/root:/bin/sh',
  'nobody:x:65534:65534:nobody:/:/bin/sh',
  'user-defined-in-image:x:1000:1000::/:/bin/sh',
  '',
].join('\n');
const GROUP = [
  'root:x:0:',
  'nogroup:x:65534:',
  'user-defined-in-image:x:1000:',
  'group-defined-in-image:x:50000:user-defined-in-image',
  '',
].join('\n');

/** test/images/agnhost/Dockerfile */
const agnhost = (version: string): TestImage => ({
  reference: `${REGISTRY}/agnhost:${version}`,
  base: 'agnhost',
  programs: { '/agnhost': 'agnhost', '/coredns': 'coredns' },
  files: {
    '/localhost.crt': 'test/images/agnhost/porter/localhost.crt',
    '/localhost.key': 'test/images/agnhost/porter/localhost.key',
  },
  texts: { '/etc/passwd': PASSWD, '/etc/group': GROUP },
  links: { '/agnhost-2': 'agnhost' },
  folders: ['/uploads'],
  entrypoint: ['/agnhost'],
  command: ['pause'],
});

/** test/images/{kitten,nautilus}: agnhost that serves a picture. A test of image volumes reads the name of Alpine in them. */
function pet(name: 'kitten' | 'nautilus'): TestImage {
  const { programs = {}, links = {}, texts = {}, folders = [], entrypoint = [] } = agnhost('');
  return {
    reference: `${REGISTRY}/${name}:1.8`,
    base: 'agnhost',
    programs,
    links,
    folders,
    entrypoint,
    texts: { ...texts, '/etc/os-release': 'NAME="Alpine Linux"\nID=alpine\n' },
    files: {
      [`/${name}.jpg`]: `test/images/${name}/html/${name}.jpg`,
      '/data.json': `test/images/${name}/html/data.json`,
    },
    command: ['test-webserver'],
  };
}

const NGINX_CONF = `user www-data;
worker_processes 1;
pid /run/nginx.pid;
error_log /dev/stderr;
events { worker_connections 128; }
http {
  include /etc/nginx/mime.types;
  access_log /dev/stdout;
  server { listen 80; root /usr/share/nginx/html; index index.html; }
}
`;

/**
 * The images of the tests of 1.36 that are labelled Conformance (test/utils/image/manifest.go), but for those of
 * AGGREGATOR_IMAGES. Where another version of Kubernetes asks for others, the suite says which could not be pulled.
 */
export const TEST_IMAGES: readonly TestImage[] = [
  agnhost('2.63.0'),
  agnhost('2.55'),
  pet('kitten'),
  pet('nautilus'),
  { reference: `${REGISTRY}/busybox:1.37.0-1`, base: 'busybox', command: ['sh'] },
  { reference: `${REGISTRY}/glibc-dns-testing:2.0.0`, base: 'dns', programs: { '/coredns': 'coredns' } },
  {
    reference: `${REGISTRY}/nonewprivs:1.4`,
    base: 'busybox',
    programs: { '/usr/local/bin/nnp': 'nnp' },
    setuid: ['/usr/local/bin/nnp'],
    command: ['nnp'],
  },
  {
    reference: `${REGISTRY}/nginx:1.15-4`,
    base: 'nginx',
    texts: { '/etc/nginx/nginx.conf': NGINX_CONF },
    command: ['nginx', '-g', 'daemon off;'],
  },
  {
    reference: 'registry.k8s.io/pause:3.10.2',
    base: 'empty',
    programs: { '/pause': 'pause' },
    entrypoint: ['/pause'],
    user: '65535:65535',
  },
];

/** What one test of the whole suite alone runs, that of an API server behind the aggregator. */
export const AGGREGATOR_IMAGES: readonly TestImage[] = [
  {
    reference: `${REGISTRY}/sample-apiserver:1.29.2`,
    base: 'empty',
    programs: { '/sample-apiserver': 'sample-apiserver' },
    entrypoint: ['/sample-apiserver'],
  },
  {
    reference: 'registry.k8s.io/etcd:3.6.8-0',
    base: 'empty',
    programs: { '/usr/local/bin/etcd': 'etcd', '/usr/local/bin/etcdctl': 'etcdctl' },
  },
];

/** The file of an image, by its reference. */
export function fileOf({ reference }: Pick<TestImage, 'reference'>): string {
  const [name = '', version = ''] = (reference.split('/').at(-1) ?? '').split(':');
  return `e2e-${name}-${version}.tar`;
}
