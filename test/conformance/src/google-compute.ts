import { randomUUID } from 'node:crypto';
import { overlaps, parseCidr } from '@kopsctl/spec/cidr.ts';
import { asAnswered, type Resource } from './google-defaults.ts';
import type { CheckedRequest } from './google-schema.ts';
import { notFound, Refusal, refuse } from './google-refusal.ts';

const ROOT = 'https://www.googleapis.com/compute/v1/';

interface Operation {
  readonly name: string;
  readonly type: string;
  /** `projects/acme/global`, `projects/acme/regions/us-test1`, `projects/acme/zones/us-test1-a` */
  readonly place: string;
  readonly target: string;
  readonly run: Change;
  state: 'PENDING' | 'RUNNING' | 'DONE';
  error?: ChangeError;
}

/** Carries out an operation when its turn comes; returns the error, in Google's terms. */
type Change = () => ChangeError | void;

interface ChangeError {
  readonly code: string;
  readonly message: string;
}

/** The account of the machines of a project that names no other one. */
const DEFAULT_ACCOUNT = '123456789012-compute@developer.gserviceaccount.com';
const ZONES = ['us-test1-a', 'us-test1-b', 'us-test1-c'];

/** Small, so that lists have several pages. */
const PAGE = 3;

/** Google carries out what nobody waits for, too: kops does not wait for firewall rules. Short for a test, long for a client. */
const UNWAITED_MS = 1_000;

/** In this order, and each for as long as nobody looks (https://cloud.google.com/compute/docs/instances/instance-life-cycle). */
const RECREATION = ['RUNNING', 'STOPPING', 'gone', 'STAGING'] as const;

/** Resources have these of their own: a request to create one may not name them. */
const OF_GOOGLE = ['id', 'selfLink', 'creationTimestamp', 'fingerprint', 'labelFingerprint'];
/** Its fingerprint protects these against changes by somebody else (documentation of their `patch`). */
const FINGERPRINTED = ['subnetworks', 'backendServices', 'instanceGroupManagers'];
/** Collections whose resources have labels, which only `setLabels` changes later. */
const LABELLED = ['addresses', 'disks', 'forwardingRules'];

/**
 * Compute Engine in memory, for the collections that a cluster uses. Names are unique, references must exist, what another
 * resource refers to is not deleted, ranges of subnets do not overlap, a change is an operation that is done once it was waited
 * for, or after a while, and a change that is repeated with its request id is done once. It cannot show how Google words and
 * times its answers.
 */
export class ComputeState {
  /** By path: `projects/acme/zones/us-test1-a/disks/a`. */
  readonly resources = new Map<string, Resource>();
  /** What machines have written to their first serial ports, by the paths of the machines. */
  readonly consoles = new Map<string, string>();
  /** While it is exceeded, groups make no more machines. */
  isQuotaExceeded = false;
  readonly #operations = new Map<string, Operation>();
  #numbers = 1_000;

  /** What answers a request, in Google's form. */
  answer({ method, parameters, body }: CheckedRequest): object | Refusal {
    const [, collection = '', verb = ''] = method.id.split('.');
    const path = fill(method.template, parameters).replace('/compute/v1/', '');
    const content = (body ?? {}) as Resource;
    if (verb === 'wait' || (verb === 'get' && collection.endsWith('Operations'))) return this.#wait(path, verb);
    if (looksAtMachines(collection, verb)) this.#goOn();
    if (collection === 'projects') return { name: path.split('/').at(-1), defaultServiceAccount: DEFAULT_ACCOUNT };
    if (collection === 'zones') {
      const region = `${ROOT}${path.replace(/zones$/, 'regions/us-test1')}`;
      return { items: ZONES.map((name) => ({ name, region })) };
    }
    if (verb === 'get') {
      const found = this.resources.get(path);
      return found === undefined ? notFound(path) : this.#shown(path, found);
    }
    if (verb === 'list' || verb === 'aggregatedList') return this.#list(path, parameters);
    if (verb === 'getSerialPortOutput') return this.#serialPort(path.slice(0, path.lastIndexOf('/')), parameters);
    if (verb === 'listErrors') return this.#errors(path.slice(0, path.lastIndexOf('/')));
    if (verb === 'listManagedInstances') return this.#managed(path.slice(0, path.lastIndexOf('/')), parameters);
    const { requestId = randomUUID() } = parameters;
    if (!UUID.test(requestId)) return refuse(400, 'invalid', `Invalid value for field 'requestId': '${requestId}'`);
    const known = this.#operations.get(requestId);
    if (known !== undefined) return operationAnswer(known);
    const target = targetOf(verb, path, content);
    const change = this.#change(verb, target, parameters, content);
    if (change instanceof Refusal) return change;
    const operation: Operation = {
      name: `operation-${requestId}`,
      type: verb,
      place: placeOf(target),
      target,
      run: this.#ofSame(target, change),
      state: 'PENDING',
    };
    this.#operations.set(requestId, operation);
    setTimeout(() => runOnce(operation), UNWAITED_MS).unref();
    return operationAnswer(operation);
  }

  /** What a client that has died since left under way is not done to another resource, which got the name meanwhile. */
  #ofSame(target: string, change: Change): Change {
    const idNow = () => this.resources.get(target)?.['id'];
    const id = idNow();
    const gone: ChangeError = { code: 'RESOURCE_NOT_FOUND', message: `The resource '${target}' was not found` };
    return () => (idNow() === id ? change() : gone);
  }

  /** Each wait advances an operation: after the first one it is still running. */
  #wait(path: string, verb: string): object | Refusal {
    const name = (verb === 'wait' ? path.slice(0, path.lastIndexOf('/')) : path).split('/').at(-1);
    const operation = [...this.#operations.values()].find((one) => one.name === name);
    if (operation === undefined) return notFound(path);
    if (operation.state === 'PENDING') operation.state = 'RUNNING';
    else runOnce(operation);
    return operationAnswer(operation);
  }

  #change(
    verb: string,
    target: string,
    parameters: Readonly<Record<string, string>>,
    body: Resource,
  ): Change | Refusal {
    const backends = refusedBackends(body['backends']);
    if (backends !== undefined) return backends;
    if (verb === 'insert') return this.#insert(target, body);
    const found = this.resources.get(target);
    if (found === undefined) return notFound(target);
    switch (verb) {
      case 'delete':
        return this.#delete(target);
      case 'patch':
      case 'update':
        return this.#update(target, found, body, verb === 'update' && parameters['updateMask'] === undefined);
      case 'setLabels': {
        const labels = refusedLabels(body['labels']);
        if (labels !== undefined) return labels;
        if (body['labelFingerprint'] !== found['labelFingerprint']) return conflict('Labels fingerprint');
        return () => this.#put(target, { labels: body['labels'] });
      }
      case 'resize':
        return this.#resize(target, found, parameters['size'] ?? text(body['sizeGb']));
      case 'setInstanceTemplate':
      case 'setTargetPools':
        return this.#update(target, found, { fingerprint: found['fingerprint'], ...body }, false);
      case 'recreateInstances':
        return this.#recreate(target, (body['instances'] as readonly string[]).map(pathOf));
      case 'attachDisk':
        return this.#attach(target, body);
      case 'detachDisk':
        return this.#detach(target, parameters['deviceName'] ?? '');
      case 'addHealthCheck':
      case 'removeHealthCheck':
      case 'addInstance':
      case 'removeInstance':
        return this.#inPool(target, verb, body);
      default:
        throw new Error(`the server does not know ${verb}`);
    }
  }

  #insert(path: string, body: Resource): Change | Refusal {
    // One that somebody else has begun to make, and that may be dead by now, counts as well.
    const isBegun = [...this.#operations.values()].some(
      ({ type, target, state }) => type === 'insert' && target === path && state !== 'DONE',
    );
    if (isBegun || this.resources.has(path)) {
      return refuse(409, 'alreadyExists', `The resource '${path}' already exists`);
    }
    const own = OF_GOOGLE.filter((field) => body[field] !== undefined);
    if (own.length > 0) return refuse(400, 'invalid', `Invalid value for field 'resource.${own[0]}'`);
    const template = (body['properties'] ?? {}) as Resource;
    const labels = refusedLabels(body['labels']) ?? refusedLabels(template['labels']);
    if (labels !== undefined) return labels;
    const missing = this.#missing(path, body);
    if (missing !== undefined) return refuse(400, 'invalid', `The referenced resource '${missing}' cannot be found.`);
    const clash = collectionOf(path) === 'subnetworks' ? this.#clashOf(path, body) : undefined;
    if (clash !== undefined) return clash;
    // Google's own client sends an empty map of them with every rule.
    if (collectionOf(path) === 'forwardingRules' && Object.keys(body['labels'] ?? {}).length > 0) {
      return refuse(400, 'invalid', 'Labels are set by forwardingRules.setLabels');
    }
    return () => this.#create(path, body);
  }

  #create(path: string, wanted: Resource): void {
    const collection = collectionOf(path);
    const body = collection === 'instanceGroupManagers' ? withVersions(wanted) : wanted;
    const number = (this.#numbers += 1);
    const address = collection === 'addresses' ? { address: `203.0.113.${number % 256}`, status: 'RESERVED' } : {};
    const zone = /\/zones\/[^/]+/.exec(path)?.[0];
    const region = /\/regions\/[^/]+/.exec(path)?.[0];
    const [, project = ''] = path.split('/');
    this.resources.set(path, {
      kind: `compute#${collection.replace(/ies$/, 'y').replace(/(ss)?es$|s$/, '$1')}`,
      id: String(number),
      creationTimestamp: new Date().toISOString(),
      name: path.split('/').at(-1),
      selfLink: ROOT + path,
      ...(zone && { zone: `${ROOT}projects/${project}${zone}` }),
      ...(region && { region: `${ROOT}projects/${project}${region}` }),
      ...address,
      ...withUrls(body),
      ...(collection === 'addresses' && { addressType: body['addressType'] ?? 'EXTERNAL' }),
      ...(collection === 'disks' && { status: 'READY' }),
      ...(LABELLED.includes(collection) && { labelFingerprint: fingerprint() }),
      ...(FINGERPRINTED.includes(collection) && { fingerprint: fingerprint() }),
    });
    if (collection !== 'instanceGroupManagers') return;
    const group = path.replace('/instanceGroupManagers/', '/instanceGroups/');
    this.#put(path, { instanceGroup: ROOT + group });
    this.resources.set(group, { name: body['name'], selfLink: ROOT + group });
    this.#fill(path);
  }

  #delete(path: string): Change | Refusal {
    const group = path.replace('/instanceGroupManagers/', '/instanceGroups/');
    const inUse = (): string | undefined => {
      const user = [...this.resources].find(
        ([other, resource]) =>
          other !== path &&
          // Pools keep the names of machines that are gone.
          !(collectionOf(other) === 'targetPools' && collectionOf(path) === 'instances') &&
          !this.#isMachineOf(other, path) &&
          [path, group].some((one) => refersTo(resource, one)),
      );
      const machine = [...this.#templates].find(([, template]) => template === path);
      const by = user?.[0] ?? machine?.[0];
      return by === undefined ? undefined : `The resource '${path}' is already being used by '${by}'`;
    };
    const held = inUse();
    if (held !== undefined) return refuse(400, 'resourceInUseByAnotherResource', held);
    return () => {
      // Somebody may have begun to use it while the operation waited.
      const message = inUse();
      if (message !== undefined) return { code: 'RESOURCE_IN_USE_BY_ANOTHER_RESOURCE', message };
      for (const other of this.#groups.keys()) if (this.#isMachineOf(other, path)) this.#remove(other);
      this.#remove(path);
      this.resources.delete(group);
      return undefined;
    };
  }

  /** What a machine held is free again. */
  #releaseDisks(path: string): void {
    for (const { source } of this.#disksOf(path)) {
      if (source !== undefined) this.#put(pathOf(text(source)), { users: [] });
    }
  }

  #remove(path: string): void {
    this.#end(path);
    this.#groups.delete(path);
    this.#recreations.delete(path);
  }

  /** A managed group takes its machines out of its pools as they end. */
  #end(path: string): void {
    this.#releaseDisks(path);
    this.#inPools(this.#groups.get(path), path, 'removeInstance');
    this.#templates.delete(path);
    this.resources.delete(path);
  }

  /** "The target pools automatically apply to all of the instances in the managed instance group." */
  #inPools(group: string | undefined, machine: string, verb: 'addInstance' | 'removeInstance'): void {
    const pools = (this.resources.get(group ?? '')?.['targetPools'] ?? []) as readonly string[];
    for (const pool of pools) this.#inPool(pathOf(pool), verb, { instances: [{ instance: machine }] })();
  }

  #update(path: string, found: Resource, body: Resource, isWhole: boolean): Change | Refusal {
    const isProtected = FINGERPRINTED.includes(collectionOf(path));
    if (isProtected && body['fingerprint'] !== found['fingerprint']) return conflict('Fingerprint');
    const missing = this.#missing(path, body);
    if (missing !== undefined) return refuse(400, 'invalid', `The referenced resource '${missing}' cannot be found.`);
    const clash = collectionOf(path) === 'subnetworks' ? this.#clashOf(path, { ...found, ...body }) : undefined;
    if (clash !== undefined) return clash;
    const machines = [...this.#groups.keys()].filter((machine) => this.#isMachineOf(machine, path));
    return () => {
      const kept = Object.entries(found).filter(
        ([name]) => !isWhole || ['kind', 'region', 'zone', ...OF_GOOGLE].includes(name),
      );
      for (const machine of machines) this.#inPools(path, machine, 'removeInstance');
      this.resources.set(path, Object.fromEntries(kept));
      this.#put(path, withUrls(withVersions(body)));
      for (const machine of machines) this.#inPools(path, machine, 'addInstance');
    };
  }

  /** Ranges of subnets in one network do not overlap, primary or secondary. */
  #clashOf(path: string, subnet: Resource): Refusal | undefined {
    const own = rangesIn(subnet);
    const network = pathOf(text(subnet['network']));
    const clash = [...this.resources].find(
      ([other, resource]) =>
        other !== path &&
        collectionOf(other) === 'subnetworks' &&
        pathOf(text(resource['network'])) === network &&
        rangesIn(resource).some((range) => own.some((one) => doOverlap(one, range))),
    );
    const message = `Invalid IPCidrRange: ${own.join(', ')} conflicts with existing subnetwork '${clash?.[0]}'`;
    return clash && refuse(400, 'invalid', message);
  }

  /** Changes fields, which changes the fingerprints. */
  #put(path: string, fields: Resource): void {
    const found = this.resources.get(path) ?? {};
    this.resources.set(path, {
      ...found,
      ...fields,
      ...(found['fingerprint'] !== undefined && { fingerprint: fingerprint() }),
      ...(found['labelFingerprint'] !== undefined && { labelFingerprint: fingerprint() }),
    });
  }

  #resize(path: string, found: Resource, size: string): Change | Refusal {
    if (collectionOf(path) === 'disks') {
      if (Number(size) <= Number(found['sizeGb'])) return refuse(400, 'invalid', 'Disks can only grow');
      return () => this.#put(path, { sizeGb: size });
    }
    return () => {
      this.#put(path, { targetSize: Number(size) });
      this.#fill(path);
    };
  }

  #inPool(path: string, verb: string, body: Resource): () => void {
    const field = verb.endsWith('HealthCheck') ? 'healthChecks' : 'instances';
    const items = (body[field] as readonly Readonly<Record<string, string>>[]).map(
      ({ healthCheck, instance }) => ROOT + pathOf(healthCheck ?? instance ?? ''),
    );
    return () => {
      const before = (this.resources.get(path)?.[field] ?? []) as readonly string[];
      const without = before.filter((one) => !items.includes(one));
      this.#put(path, { [field]: verb.startsWith('add') ? [...without, ...items] : without });
    };
  }

  /** Puts a template in the place of another one, as if groups and machines had been made from it. */
  replaceTemplate(old: string, name: string, properties: Resource): void {
    const path = `${placeOf(old)}/instanceTemplates/${name}`;
    this.resources.set(path, { ...this.resources.get(old), name, selfLink: ROOT + path, properties });
    this.resources.delete(old);
    for (const [machine, template] of this.#templates) if (template === old) this.#templates.set(machine, path);
    for (const [group, { versions }] of this.resources) {
      if (collectionOf(group) !== 'instanceGroupManagers' || !referencesIn(versions).includes(old)) continue;
      this.#put(group, { versions: [{ instanceTemplate: ROOT + path }] });
    }
  }

  /** Gives a machine the address that it has where it really runs. */
  place(instance: string, networkIP: string): void {
    const [nic] = (this.resources.get(instance)?.['networkInterfaces'] ?? []) as readonly Resource[];
    this.#put(instance, { networkInterfaces: [{ ...nic, networkIP }] });
  }

  /** The disk, and how it is named in the machine. Called when a machine gets a disk, or loses it (`false`). */
  onDisk: (instance: string, disk: string, deviceName: string, isAttached: boolean) => void = () => undefined;

  /**
   * A disk has one writer. A disk that is held already is refused at once; one that is held only by then, when the
   * operation runs.
   */
  #attach(instance: string, { source, deviceName, mode = 'READ_WRITE' }: Resource): Change | Refusal {
    const disk = pathOf(text(source));
    const name = text(deviceName);
    if (!this.resources.has(disk)) return notFound(disk);
    const inUse = (): string | undefined => {
      const [user] = (this.resources.get(disk)?.['users'] ?? []) as readonly string[];
      return user && `The disk resource '${ROOT}${disk}' is already being used by '${user}'`;
    };
    const held = inUse();
    if (held !== undefined) return refuse(400, 'resourceInUseByAnotherResource', held);
    return () => {
      const message = inUse();
      if (message !== undefined) return { code: 'RESOURCE_IN_USE_BY_ANOTHER_RESOURCE', message };
      const attached = { type: 'PERSISTENT', source: ROOT + disk, deviceName: name, mode };
      this.#put(instance, { disks: [...this.#disksOf(instance), attached] });
      this.#put(disk, { users: [ROOT + instance] });
      this.onDisk(instance, disk, name, true);
    };
  }

  #detach(instance: string, deviceName: string): Change | Refusal {
    const attached = this.#disksOf(instance).find((one) => one['deviceName'] === deviceName);
    if (attached === undefined)
      return refuse(400, 'invalid', `No attached disk found with device name '${deviceName}'`);
    const disk = pathOf(text(attached['source']));
    return () => {
      this.#put(instance, { disks: this.#disksOf(instance).filter((one) => one['deviceName'] !== deviceName) });
      this.#put(disk, { users: [] });
      this.onDisk(instance, disk, deviceName, false);
    };
  }

  #disksOf(instance: string): readonly Resource[] {
    return (this.resources.get(instance)?.['disks'] ?? []) as readonly Resource[];
  }

  #isMachineOf = (path: string, group: string): boolean => this.#groups.get(path) === group;

  /** The managed group of each machine, and the template that it was made from. */
  readonly #groups = new Map<string, string>();
  readonly #templates = new Map<string, string>();
  /** How far the machines that are being recreated have come: an index of `RECREATION`. */
  readonly #recreations = new Map<string, number>();

  /** A managed group makes and ends machines until it has as many as it should have. */
  #fill(group: string): void {
    const { baseInstanceName, targetSize } = this.resources.get(group) ?? {};
    const own = [...this.#groups.keys()].filter((path) => this.#isMachineOf(path, group));
    for (const path of own.slice(Number(targetSize))) this.#remove(path);
    if (this.isQuotaExceeded) return;
    for (let count = own.length; count < Number(targetSize); count += 1) {
      const name = `${text(baseInstanceName)}-${randomUUID().slice(0, 4)}`;
      this.#makeMachine(group, `${placeOf(group)}/instances/${name}`);
    }
  }

  /** The template of the next machine of a group. */
  #templateOf(group: string): string {
    const versions = (this.resources.get(group)?.['versions'] ?? []) as readonly {
      readonly instanceTemplate: string;
    }[];
    return pathOf(versions[0]?.instanceTemplate ?? '');
  }

  #makeMachine(group: string, path: string, status = 'RUNNING'): void {
    const template = this.#templateOf(group);
    const { properties } = this.resources.get(template) as { readonly properties: Resource };
    const number = (this.#numbers += 1);
    const [nic] = properties['networkInterfaces'] as readonly Resource[];
    const { podRange: _, ...common } = properties;
    this.#groups.set(path, group);
    this.#templates.set(path, template);
    const zone = placeOf(group);
    this.resources.set(path, {
      kind: 'compute#instance',
      id: String(number),
      creationTimestamp: new Date().toISOString(),
      name: path.split('/').at(-1),
      selfLink: ROOT + path,
      zone: ROOT + zone,
      status,
      ...(common['labels'] !== undefined && { labels: common['labels'] }),
      ...(common['metadata'] !== undefined && { metadata: common['metadata'] }),
      ...(common['serviceAccounts'] !== undefined && { serviceAccounts: common['serviceAccounts'] }),
      networkInterfaces: [{ ...nic, name: 'nic0', networkIP: `10.0.16.${number % 256}` }],
    });
    this.#inPools(group, path, 'addInstance');
  }

  #recreate(group: string, paths: readonly string[]): Change | Refusal {
    const foreign = paths.find((path) => !this.#isMachineOf(path, group));
    if (foreign !== undefined) return refuse(400, 'invalid', `'${foreign}' is not a member of '${group}'`);
    // "Marked as DONE when the flag is set even if the instances have not yet been recreated" (recreateInstances).
    return () => {
      for (const path of paths) if (!this.#recreations.has(path)) this.#recreations.set(path, 0);
    };
  }

  /** Machines that are being recreated advance each time somebody looks at machines. */
  #goOn(): void {
    for (const [path, at] of this.#recreations) {
      const group = this.#groups.get(path) ?? '';
      const next = RECREATION[at + 1];
      this.#recreations.set(path, at + 1);
      if (next === 'STOPPING') this.#put(path, { status: next });
      else if (next === 'gone') this.#end(path);
      else if (next === 'STAGING') this.#makeMachine(group, path, next);
      else {
        this.#put(path, { status: 'RUNNING' });
        this.#recreations.delete(path);
      }
    }
  }

  /** A resource with what Google adds to it. */
  #shown(path: string, resource: Resource): Resource {
    const collection = collectionOf(path);
    const shown = asAnswered(collection, resource);
    if (collection !== 'instanceGroupManagers') return shown;
    const own = [...this.#groups.keys()].filter((machine) => this.#isMachineOf(machine, path));
    const recreating = own.filter((machine) => this.#recreations.has(machine)).length;
    const idle = { abandoning: 0, creating: 0, creatingWithoutRetries: 0, deleting: 0, refreshing: 0, restarting: 0 };
    return {
      ...shown,
      currentActions: { ...idle, recreating, verifying: 0, none: own.length - recreating },
      status: { isStable: recreating === 0, versionTarget: { isReached: recreating === 0 } },
    };
  }

  #errors(group: string): object | Refusal {
    if (!this.resources.has(group)) return notFound(group);
    const error = { code: 'QUOTA_EXCEEDED', message: "Quota 'CPUS' exceeded.  Limit: 24.0 in region us-test1." };
    const made = { error, timestamp: new Date().toISOString(), instanceActionDetails: { action: 'CREATING' } };
    return { items: this.isQuotaExceeded ? [made] : [] };
  }

  /** A negative start is counted from the end. */
  #serialPort(instance: string, { start = '0' }: Readonly<Record<string, string>>): object | Refusal {
    if (!this.resources.has(instance)) return notFound(instance);
    const bytes = Buffer.from(this.consoles.get(instance) ?? '');
    const from = Math.max(0, Number(start) < 0 ? bytes.byteLength + Number(start) : Number(start));
    return {
      kind: 'compute#serialPortOutput',
      selfLink: `${ROOT}${instance}/serialPort`,
      contents: bytes.subarray(from).toString('utf8'),
      start: String(from),
      next: String(bytes.byteLength),
    };
  }

  #managed(group: string, { pageToken = '0' }: Readonly<Record<string, string>>): object | Refusal {
    if (!this.resources.has(group)) return notFound(group);
    const own = [...this.#groups.keys()].filter((path) => this.#isMachineOf(path, group));
    const from = Number(pageToken);
    return {
      managedInstances: own.slice(from, from + PAGE).map((path) => {
        const machine = this.resources.get(path);
        const isMadeAgain = this.#recreations.has(path);
        // The version that it should have (ManagedInstance.version).
        const template = isMadeAgain ? this.#templateOf(group) : (this.#templates.get(path) ?? '');
        return {
          instance: ROOT + path,
          ...(machine && { id: machine['id'], instanceStatus: machine['status'] }),
          currentAction: isMadeAgain ? 'RECREATING' : 'NONE',
          version: { instanceTemplate: ROOT + template },
        };
      }),
      ...(from + PAGE < own.length && { nextPageToken: String(from + PAGE) }),
    };
  }

  #list(path: string, { filter = '', pageToken = '0' }: Readonly<Record<string, string>>): object {
    const isAggregated = path.includes('/aggregated/');
    const collection = collectionOf(`${path}/x`);
    const [project = ''] = path.split('/aggregated/');
    const [, key = '', value = ''] = /^labels\.([\w-]+) = "([^"]*)"$/.exec(filter) ?? [];
    const [, address] = /^address eq (\S+)$/.exec(filter) ?? [];
    const all = [...this.resources].filter(([at, resource]) => {
      const isHere = isAggregated ? at.startsWith(`${project}/`) : at.startsWith(`${path}/`);
      const labels = (resource['labels'] ?? {}) as Readonly<Record<string, string>>;
      const isMeant = address === undefined ? labels[key] === value : resource['address'] === address;
      return isHere && collectionOf(at) === collection && (filter === '' || isMeant);
    });
    const from = Number(pageToken);
    const page = all.slice(from, from + PAGE);
    const next = from + PAGE < all.length ? { nextPageToken: String(from + PAGE) } : {};
    if (!isAggregated) return { items: page.map(([at, resource]) => this.#shown(at, resource)), ...next };
    const byPlace = Map.groupBy(page, ([at]) => placeOf(at).split('/').slice(2).join('/'));
    const items = [...byPlace].map(([place, found]) => [
      place,
      { [collection]: found.map(([at, resource]) => this.#shown(at, resource)) },
    ]);
    const empty = { warning: { code: 'NO_RESULTS_ON_PAGE', message: 'There are no results for this scope.' } };
    return { items: { 'zones/empty1-a': empty, ...Object.fromEntries(items) }, ...next };
  }

  /** A resource that a body refers to and that does not exist. */
  #missing(path: string, body: Resource): string | undefined {
    return referencesIn(body).find((reference) => reference !== path && !this.resources.has(reference));
  }
}

function runOnce(operation: Operation): void {
  if (operation.state === 'DONE') return;
  const error = operation.run();
  if (error !== undefined) operation.error = error;
  operation.state = 'DONE';
}

function operationAnswer({ name, type, place, target, state, error }: Operation): object {
  const [, , kind = '', where] = place.split('/');
  return {
    kind: 'compute#operation',
    name,
    operationType: type,
    status: state,
    progress: state === 'DONE' ? 100 : 0,
    ...(where !== undefined && { [kind.slice(0, -1)]: ROOT + place }),
    selfLink: `${ROOT}${place}/operations/${name}`,
    targetLink: ROOT + target,
    ...(error && { error: { errors: [error] }, httpErrorStatusCode: 400, httpErrorMessage: 'BAD REQUEST' }),
  };
}

/** Google's rules for labels, and its words (https://cloud.google.com/compute/docs/labeling-resources). */
/** "Partial URLs are not supported" (API reference of Backend). */
function refusedBackends(backends: unknown): Refusal | undefined {
  const groups = ((backends ?? []) as readonly { readonly group: string }[]).map(({ group }) => group);
  const partial = groups.find((group) => !group.startsWith('https://www.googleapis.com/'));
  return partial === undefined
    ? undefined
    : refuse(
        400,
        'invalid',
        `Invalid value for field 'resource.backends[].group': '${partial}'. The URL is malformed.`,
      );
}

function refusedLabels(labels: unknown): Refusal | undefined {
  for (const [key, value] of Object.entries((labels ?? {}) as Readonly<Record<string, string>>)) {
    if (!/^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}_-]{0,62}$/u.test(key)) {
      const rule =
        'The key must start with a lowercase character, can only contain lowercase letters, numeric characters, underscores and dashes. The key can be at most 63 characters long. International characters are allowed.';
      return refuse(400, 'invalid', `Label key '${key}' violates format constraints. ${rule}`);
    }
    if (!/^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u.test(value)) {
      const rule =
        'The value can only contain lowercase letters, numeric characters, underscores and dashes. The value can be at most 63 characters long. International characters are allowed.';
      return refuse(400, 'invalid', `Label value '${value}' violates format constraints. ${rule}`);
    }
  }
  return undefined;
}

const conflict = (what: string): Refusal =>
  refuse(412, 'conditionNotMet', `${what} either invalid or resource labels have changed`);

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const looksAtMachines = (collection: string, verb: string): boolean =>
  (collection === 'instances' && ['get', 'list', 'aggregatedList'].includes(verb)) || verb === 'listManagedInstances';

const rangesIn = ({ ipCidrRange, secondaryIpRanges }: Resource): readonly string[] =>
  [{ ipCidrRange }, ...((secondaryIpRanges ?? []) as readonly Resource[])].map((range) => text(range['ipCidrRange']));

function doOverlap(one: string, other: string): boolean {
  const [left, right] = [parseCidr(one), parseCidr(other)];
  return left !== undefined && right !== undefined && overlaps(left, right);
}

/** The path in a URL or in a part of it. */
const pathOf = (url: string): string => url.slice(Math.max(0, url.indexOf('projects/')));

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const collectionOf = (path: string): string => path.split('/').at(-2) ?? '';

/** `projects/acme/global`, of a resource there. */
const placeOf = (path: string): string => path.split('/').slice(0, -2).join('/');

/** The resource that a request is about: `…/disks/a` of `…/disks/a/resize`. */
function targetOf(verb: string, path: string, content: Resource): string {
  if (verb === 'insert') return `${path}/${text(content['name'])}`;
  return ['delete', 'patch', 'update'].includes(verb) ? path : path.slice(0, path.lastIndexOf('/'));
}

const fill = (template: string, parameters: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '');

/** As short as Google's. */
const fingerprint = (): string => randomUUID().slice(0, 11);

/** A template of a group, and a list with it alone, say the same: Google shows both (documentation of `instanceTemplate`). */
function withVersions(body: Resource): Resource {
  const { instanceTemplate, versions } = body;
  if (instanceTemplate !== undefined) return { ...body, versions: [{ instanceTemplate }] };
  const [only, ...others] = (versions ?? []) as readonly { readonly instanceTemplate: string }[];
  return only === undefined || others.length > 0 ? body : { ...body, instanceTemplate: only.instanceTemplate };
}

/** Google answers references as URLs, whatever the request had. */
function withUrls(body: Resource): Resource {
  const full = (value: unknown): unknown => {
    if (typeof value === 'string')
      return /^projects\/[^/]+\/(global|regions|zones)\//.test(value) ? ROOT + value : value;
    if (Array.isArray(value)) return value.map(full);
    return typeof value === 'object' && value !== null ? withUrls(value as Resource) : value;
  };
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, full(value)]));
}

/** Everything of Google's catalogue is taken to exist. */
const CATALOGUE = /\/(diskTypes|machineTypes|acceleratorTypes|images)\//;

function referencesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    const found = /projects\/[^/]+\/(global|regions\/[^/]+|zones\/[^/]+)\/\w+\/[\w-]+$/.exec(value)?.[0];
    return found === undefined || CATALOGUE.test(value) ? [] : [found];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(referencesIn);
}

const refersTo = (resource: Resource, path: string): boolean => {
  const { selfLink: _, ...rest } = resource;
  return referencesIn(rest).includes(path);
};
