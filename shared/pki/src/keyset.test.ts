import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { keysetPath, readKeyset, writeKeyset } from './keyset-store.ts';
import { ensureKeyset } from './testing/ensure-keyset.ts';
import { parseKeyset, primary, printKeyset, trustedCertificates, type Keyset } from './keyset.ts';

const pem = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
const key = (text: string) => `-----BEGIN RSA PRIVATE KEY-----\n${text}\n-----END RSA PRIVATE KEY-----\n`;
const base64 = (text: string) => Buffer.from(text).toString('base64');

const OLD = '6977786540386475393253219127';
const YOUNG = '6982795879103471930235321913';

/** As `kops create keypair` and `kops distrust keypair` leave it. */
const WRITTEN_BY_KOPS = `apiVersion: kops.k8s.io/v1alpha2
kind: Keyset
metadata:
  creationTimestamp: null
  name: kubernetes-ca
spec:
  keys:
  - distrustTimestamp: "2021-07-05T09:19:05Z"
    id: "999"
    publicMaterial: ${base64(pem('distrusted'))}
  - id: "${OLD}"
    privateMaterial: ${base64(key('old'))}
    publicMaterial: ${base64(pem('old'))}
  - id: "${YOUNG}"
    privateMaterial: ${base64(key('young'))}
    publicMaterial: ${base64(pem('young'))}
  primaryId: "${OLD}"
  type: Keypair
`;

test('A keyset of kops is read with its primary and its trust', () => {
  const keyset = parseKeyset(WRITTEN_BY_KOPS);
  expect(keyset.name).toBe('kubernetes-ca');
  expect(primary(keyset)).toEqual({ id: OLD, certificatePem: pem('old'), privateKeyPem: key('old') });
  expect(trustedCertificates(keyset)).toBe(pem('old') + pem('young'));
  expect(parseKeyset(printKeyset(keyset))).toEqual(keyset);
});

test('What we print differs from what kops prints in nothing that kops reads', () => {
  expect(printKeyset(parseKeyset(WRITTEN_BY_KOPS))).toBe(
    WRITTEN_BY_KOPS.replace('  creationTimestamp: null\n', '')
      .replaceAll('\n  -', '\n    -')
      .replaceAll(/\n {4}(id|publicMaterial|privateMaterial)/g, '\n      $1'),
  );
});

test('Without a primaryId, as older kops wrote, the youngest trusted pair signs, by number and not by text', () => {
  const text = WRITTEN_BY_KOPS.replace(/ {2}primaryId.*\n/, '').replace(OLD, '9');
  expect(parseKeyset(text).primaryId).toBe(YOUNG);
  expect(parseKeyset(text).items.map((item) => item.id)).toEqual(['9', '999', YOUNG]);
});

test('the message about a broken keyset reveals nothing of its keys', () => {
  const broken = "spec:\n  keys:\n  - privateMaterial: 'c2VjcmV0: c2VjcmV0\n    c2VjcmV0: [";
  let thrown: unknown;
  try {
    parseKeyset(broken);
  } catch (error) {
    thrown = error;
  }
  expect(inspect(thrown)).toContain('is not YAML');
  expect(inspect(thrown)).not.toContain('c2VjcmV0');
});

test.each<[string, (text: string) => string, RegExp]>([
  ['no YAML', () => 'a: [', /is not YAML/],
  ['another kind', (text) => text.replace('Keyset', 'Cluster'), /its kind is "Cluster", not Keyset/],
  ['secrets', (text) => text.replace('Keypair', 'Secret'), /spec.type is "Secret"/],
  ['no keys', (text) => text.replace(/keys:[^]*primaryId/, 'keys: []\n  primaryId'), /spec.keys holds no key/],
  [
    'a primary that is not there',
    (text) => text.replace(`primaryId: "${OLD}"`, 'primaryId: "7"'),
    /primaryId is 7, but/,
  ],
  [
    'an id that YAML reads as a number',
    (text) => text.replace(`id: "${OLD}"`, `id: ${OLD}`),
    /spec.keys\[1\].id is 6\.97/,
  ],
  ['a torn certificate', (text) => text.replace(base64(pem('young')), 'AAAA'), /spec.keys\[2\].publicMaterial/],
])('A keyset that holds %s is refused, with its place', (_, change, why) => {
  expect(() => parseKeyset(change(WRITTEN_BY_KOPS), 'demo/keyset.yaml')).toThrow(why);
  expect(() => parseKeyset(change(WRITTEN_BY_KOPS), 'demo/keyset.yaml')).toThrow(/read the keyset demo\/keyset.yaml/);
});

test('A primary without a private key cannot sign, and says so', () => {
  const keyset: Keyset = { name: 'ca', primaryId: '1', items: [{ id: '1', certificatePem: pem('x') }] };
  expect(() => primary(keyset)).toThrow('cannot sign with the keyset ca: its primary key 1 has no private key');
});

test('Keysets are kept where kops keeps them, and every write names what it replaces', async () => {
  const store = createMemoryStore();
  const keyset = parseKeyset(WRITTEN_BY_KOPS);
  expect(keysetPath('demo.example.com', 'kubernetes-ca')).toBe(
    'demo.example.com/pki/private/kubernetes-ca/keyset.yaml',
  );
  expect(await readKeyset(store, 'demo', 'kubernetes-ca')).toBeUndefined();
  const { version } = await writeKeyset(store, 'demo', keyset, undefined);
  expect(await readKeyset(store, 'demo', 'kubernetes-ca')).toEqual({ keyset, version });
  await expect(writeKeyset(store, 'demo', keyset, undefined)).rejects.toThrow(/already exists/);
  await writeKeyset(store, 'demo', { ...keyset, primaryId: YOUNG }, { version });
  await expect(writeKeyset(store, 'demo', keyset, { version })).rejects.toThrow(/was to replace version/);
});

test('Two who make a keyset at once end up with the same one', async () => {
  const store = createMemoryStore();
  const make = (text: string) => async (): Promise<Keyset> => ({
    name: 'ca',
    primaryId: text,
    items: [{ id: text, certificatePem: pem(text), privateKeyPem: key(text) }],
  });
  const [one, two] = await Promise.all([
    ensureKeyset(store, 'demo', 'ca', make('1')),
    ensureKeyset(store, 'demo', 'ca', make('2')),
  ]);
  expect(one.keyset).toEqual(two.keyset);
  expect(one.created).toBe(!two.created);
  expect((await ensureKeyset(store, 'demo', 'ca', make('3'))).keyset).toEqual(one.keyset);
});
