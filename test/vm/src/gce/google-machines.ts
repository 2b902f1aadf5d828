import type { GceMachine } from '@kopsctl/test-conformance/gce-machine.ts';
import type { Resource } from '@kopsctl/test-conformance/google-defaults.ts';
import type { GoogleServer } from '@kopsctl/test-conformance/google-server.ts';
import { mayUse, type StorageRight } from '@kopsctl/test-conformance/storage-rights.ts';
import type { GoogleOptions, WantedMachine } from './google-protocol.ts';

/** The token of the person who runs kopsctl, which may do everything. */
const OPERATOR = 'token';
/** What a control plane may call (docs/clouds.md). Workers call nothing. */
const OF_CONTROL_PLANES =
  /^compute\.(instances\.(aggregatedList|get|attachDisk|detachDisk)|disks\.(aggregatedList|get)|zoneOperations\.\w+)$/;

/** The part of a machine that its rights and its metadata follow from. */
interface Instance extends Resource {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly metadata: { readonly items: readonly { readonly key: string; readonly value: string }[] };
  readonly networkInterfaces: readonly [{ readonly networkIP: string }];
  readonly serviceAccounts: readonly [{ readonly email: string }];
}

const isControlPlane = ({ labels }: Instance): boolean => labels['k8s-io-role-control-plane'] !== undefined;
const tokenOf = (path: string): string => `token-of-${path.split('/').at(-1)}`;

/** The machines that managed groups want, and what the holder of the token of each may do. */
export class GoogleMachines {
  readonly #options: GoogleOptions;
  readonly #google: () => GoogleServer;
  /** What somebody asked without the right to it. */
  readonly refused: string[] = [];

  constructor(options: GoogleOptions, google: () => GoogleServer) {
    this.#options = options;
    this.#google = google;
  }

  wanted(): readonly WantedMachine[] {
    return this.#all().map(([path, machine]) => ({
      path,
      name: machine.name,
      isControlPlane: isControlPlane(machine),
      userData: machine.metadata.items.find(({ key }) => key === 'user-data')?.value ?? '',
    }));
  }

  /** The holder of an address: a machine, or the person who runs kopsctl on this computer. */
  at(address: string): GceMachine | undefined {
    const { project, gateway } = this.#options;
    if (address === gateway) return { project, zone: 'us-test1-a', name: 'operator', address, token: OPERATOR };
    const found = this.#all().find(([, { networkInterfaces }]) => networkInterfaces[0].networkIP === address);
    if (found === undefined) return undefined;
    const [path, { name, serviceAccounts }] = found;
    const zone = path.split('/').at(-3) ?? '';
    return { project, zone, name, address, email: serviceAccounts[0].email, token: tokenOf(path) };
  }

  /** Whether the holder of a token may call a method of Compute Engine. */
  mayCall(token: string, method: string): boolean {
    const machine = this.#holderOf(token);
    const isAllowed = machine !== undefined && isControlPlane(machine) && OF_CONTROL_PLANES.test(method);
    return this.#record(token === OPERATOR || isAllowed, machine, `call ${method}`);
  }

  /** Whether the holder of a token may do this with objects, by the policy that kopsctl gave the bucket. */
  mayUse(token: string, right: StorageRight, bucket: string, object: string | undefined): boolean {
    const machine = this.#holderOf(token);
    const { bindings = [] } = this.#google().policies.policies.get(`buckets/${bucket}`) ?? {};
    const member = `serviceAccount:${machine?.serviceAccounts[0].email}`;
    const isAllowed = mayUse(bindings, member, right, { bucket, object });
    return this.#record(token === OPERATOR || isAllowed, machine, `${right} ${object ?? bucket}`);
  }

  #record(may: boolean, machine: Instance | undefined, what: string): boolean {
    if (!may) this.refused.push(`${machine?.name ?? 'somebody'} wanted to ${what}`);
    return may;
  }

  #holderOf(token: string): Instance | undefined {
    return this.#all().find(([path]) => tokenOf(path) === token)?.[1];
  }

  #all(): readonly (readonly [path: string, machine: Instance])[] {
    return [...this.#google().compute.resources].flatMap(([path, resource]) =>
      // The server makes machines from templates of kopsctl, which have all of these.
      path.includes('/instances/') ? [[path, resource as Instance] as const] : [],
    );
  }
}
