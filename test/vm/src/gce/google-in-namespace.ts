import { makeUpHashes } from '@kopsctl/actions/testing/make-up-hashes.ts';
import { startCheckedGcs } from '@kopsctl/test-conformance/checked-gcs.ts';
import { startFakeGcs } from '@kopsctl/test-conformance/fake-gcs.ts';
import { answerMetadata, metadataOf } from '@kopsctl/test-conformance/gce-machine.ts';
import { type GoogleIssuer, serveGoogle } from '@kopsctl/test-conformance/google-issuer.ts';
import { type GoogleServer, startGoogle } from '@kopsctl/test-conformance/google-server.ts';
import { serve } from '@kopsctl/test-conformance/serve-test-server.ts';
import { createGcsStore } from '@kopsctl/state-store/gcs/gcs-store.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { adaptBootPlan } from './adapt-boot-plan.ts';
import { attachDisk, detachDisk } from './disk-devices.ts';
import { GoogleMachines } from './google-machines.ts';
import { type GoogleOptions, PORTS, type Question } from './google-protocol.ts';
import { PublishedFiles } from './published-files.ts';

/**
 * Google for the machines of a local cluster, in whose network namespace this process runs: metadata, Compute Engine, IAM,
 * Cloud Storage (fake-gcs-server) with the rights that kopsctl gives, the keys of identity tokens, and publishers of programs.
 */
async function run(options: GoogleOptions): Promise<void> {
  const { bucket, gateway: host } = options;
  const machines: GoogleMachines = new GoogleMachines(options, () => google);
  const google: GoogleServer = await startGoogle({
    place: { host, port: PORTS.google },
    may: (token, method) => machines.mayCall(token, method),
  });
  google.policies.buckets.set(bucket, { isUniform: true });
  const store = await startFakeGcs(bucket);
  if (store === undefined) throw new Error('this machine cannot run fake-gcs-server');
  await startCheckedGcs(store.endpoint, {
    at: { host, port: PORTS.storage },
    others: google.url,
    may: (token, right, inBucket, object) => machines.mayUse(token, right, inBucket, object),
  });
  const files = await PublishedFiles.open(options.assetsDir, options.kubernetesVersion);
  await serve((request, response) => files.answer(request, response), { host, port: PORTS.files });
  await serveMetadata(host, machines, await serveGoogle({ host, port: PORTS.keys }));
  giveDevices(google, options);
  const state = createGcsStore(`gs://${bucket}`, { endpoint: store.endpoint });
  process.on('message', ({ id, question }: { readonly id: number; readonly question: Question }) => {
    void answerTo(question, { google, machines, state, files }).then((answer) => process.send?.({ id, answer }));
  });
  process.once('disconnect', () => void store.stop().then(() => process.exit(0)));
  process.send?.('ready');
}

/** Each machine is known by its address. */
async function serveMetadata(host: string, machines: GoogleMachines, issuer: GoogleIssuer): Promise<void> {
  await serve(
    (request, response) => {
      const machine = machines.at(request.socket.remoteAddress ?? '');
      // A machine that has just begun to boot: its address is known in a moment.
      if (machine === undefined) return response.writeHead(503).end();
      const asked = {
        'instance/service-accounts/default/identity': (query: URLSearchParams) => issuer.tokenFor(machine, query),
      };
      return answerMetadata(metadataOf(machine), asked, request, response);
    },
    { host, port: PORTS.metadata },
  );
}

/** A machine sees the device of a disk some time after the disk was attached, as in Google. */
function giveDevices(google: GoogleServer, { machines: local }: GoogleOptions): void {
  google.compute.onDisk = (instance, disk, deviceName, isAttached) => {
    const [machine = '', volume = ''] = [instance, disk].map((path) => path.split('/').at(-1));
    const change = isAttached ? attachDisk : detachDisk;
    change(local, { machine, volume, deviceName }).catch((error: unknown) => {
      process.stderr.write(`google: ${isAttached ? 'attach' : 'detach'} ${volume}: ${String(error)}\n`);
    });
  };
}

interface Known {
  readonly google: GoogleServer;
  readonly machines: GoogleMachines;
  readonly state: StateStore;
  readonly files: PublishedFiles;
}

async function answerTo(question: Question, { google, machines, state, files }: Known): Promise<unknown> {
  switch (question.ask) {
    case 'pin':
      await makeUpHashes(state, question.cluster, (address) => files.sha256Of(address));
      return true;
    case 'machines': {
      const wanted = machines.wanted();
      const adapted = await Promise.all(wanted.map(({ userData }) => adaptBootPlan(userData, state, files)));
      return wanted.map((machine, index) => ({ ...machine, userData: adapted[index] }));
    }
    case 'place':
      google.compute.place(question.path, question.address);
      return true;
    case 'report':
      return { violations: google.violations, refused: machines.refused };
  }
}

// The process that starts this one writes it.
await run(JSON.parse(process.argv[2] ?? '') as GoogleOptions);
