import { storeSecret } from '@kopsctl/actions/keys/secrets.ts';
import { kubeClient } from '@kopsctl/kube/client.ts';
import { Discovery } from '@kopsctl/kube/discovery.ts';
import { bootstrapChannel } from '@kopsctl/model/addons/bootstrap-channel.ts';
import { awsFacts, GROUPS } from '@kopsctl/model/addons/testdata/aws-facts.ts';
import { applyAddon } from '@kopsctl/protokube/addons/apply-addon.ts';
import { parseChannel } from '@kopsctl/kube/addons/channel.ts';
import { storeFacts } from '@kopsctl/protokube/addons/store-facts.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { type RealApiServer, startApiServer } from '@kopsctl/test-peers/start-api-server.ts';
import { usualApiServers } from './usual-api-servers.ts';
import { afterEach, describe, expect, test } from 'vitest';

const CHANNEL = 'addons/bootstrap-channel.yaml';
const KEYS = '3+ rfc4106(gcm(aes)) d5d0a4c1ee7b3d4a7c2f5e2f9a2f5d5c1c2d3e4f 128';
const SPEC = { networking: { cilium: { enableEncryption: true } } };

/** A store with the secret, and with the addons as the control side writes them. */
async function filledStore(kubernetesVersion: string) {
  const store = createMemoryStore();
  const data = Buffer.from(`keys: ${KEYS}\n`);
  await storeSecret(store, 'demo', { kind: 'ciliumpassword', data, force: false });
  const texts = new Map<string, string>();
  for (const { props } of bootstrapChannel(awsFacts({ ...SPEC, kubernetesVersion }), GROUPS, undefined)) {
    const { path, content } = props;
    if (typeof path !== 'string' || typeof content !== 'string') throw new Error('an addon is not a file');
    await store.write(`demo/${path}`, Buffer.from(content), { ifAbsent: true });
    texts.set(path, content);
  }
  return { store, texts };
}

const servers = await usualApiServers();

describe.skipIf(servers.length === 0).each(servers)('an API server of Kubernetes $version', (programs) => {
  let server: RealApiServer | undefined;
  afterEach(async () => server?.stop());

  test('gets the keys of Cilium by protokube, and no file of the addons holds them', async () => {
    server = await startApiServer(programs);
    const kube = kubeClient(server.kubeconfig);
    const signal = AbortSignal.timeout(60_000);
    const { store, texts } = await filledStore(programs.version);
    expect([...texts.values()].join('\n')).not.toContain(KEYS);
    const { addons } = parseChannel(CHANNEL, texts.get(CHANNEL) ?? '', programs.version);
    const cilium = addons.find(({ name }) => name === 'networking.cilium.io');
    if (cilium === undefined) throw new Error('the channel has no Cilium');
    const openStore = () => Promise.reject(new Error('the channel names no other store'));
    const env = { cluster: 'demo', store, openStore, kube, facts: storeFacts('demo', store) };
    await applyAddon(cilium, new Discovery(kube), env, signal);
    expect(await kube.get('/api/v1/namespaces/kube-system/secrets/cilium-ipsec-keys', signal)).toMatchObject({
      data: { keys: Buffer.from(KEYS).toString('base64') },
    });
  });
});
