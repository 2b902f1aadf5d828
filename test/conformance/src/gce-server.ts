import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type CheckedRequest, checkMessage, checkRequest, masked, parseMask } from './google-schema.ts';
import { notFound, Refusal, refuse } from './google-refusal.ts';
import { bodyOf, serve, type TestServer } from './serve-test-server.ts';

export interface Instance {
  readonly zone: string;
  readonly name: string;
  readonly address: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly status?: string;
  readonly natIP?: string;
  /** As Google writes it, with an offset. */
  readonly creationTimestamp?: string;
}

export interface Disk {
  readonly zone: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** The permissions of a token; all by default. */
export interface Rights {
  readonly isScopeMissing?: boolean;
  readonly lacks?: string;
}

export interface GceServer extends TestServer {
  /** The violations of Google's schema in requests and answers. */
  readonly faults: string[];
  readonly instances: Map<string, Instance>;
  readonly disks: Map<string, Disk>;
  readonly rights: Map<string, Rights>;
  /** Zones that do not answer. */
  readonly silent: Set<string>;
  /** The machine that holds a disk, both as `<zone>/<name>`. */
  holderOf(disk: string): string | undefined;
  /** Attaches a disk as another user would: with another device name, or read-only. */
  attachByHand(attachment: Attachment): void;
  /** The next changes are applied, but their answers are lost. */
  loseAnswers(count: number): void;
  /** The next requests exceed the rate limit. */
  throttle(count: number): void;
  /** The next changes are refused because the disk or machine is busy. */
  beBusy(count: number): void;
  /** The next reads of a single disk or machine return stale attachments. */
  lag(count: number): void;
}

export interface Attachment {
  readonly disk: string;
  readonly instance: string;
  readonly deviceName: string;
  readonly mode: string;
}

interface Operation {
  readonly name: string;
  readonly type: string;
  readonly zone: string;
  readonly instance: string;
  /** Runs when its turn comes; returns the error, in Google's terms. */
  readonly run: () => { readonly code: string; readonly message: string } | undefined;
  state: 'PENDING' | 'RUNNING' | 'DONE';
  error?: { readonly code: string; readonly message: string };
}

/** Small, so that lists have several pages. */
const PAGE = 2;

/**
 * The part of Compute Engine that a machine uses, because no public test server for it exists. It checks requests and
 * answers against Google's own schema and returns the requested partial answers; a change is an operation that is done
 * only after waiting for it, and a disk has one writer. It cannot show how Google's server words and times its answers.
 */
export async function startGce(project: string): Promise<GceServer> {
  const [instances, disks] = [new Map<string, Instance>(), new Map<string, Disk>()];
  const [rights, silent, faults] = [new Map<string, Rights>(), new Set<string>(), [] as string[]];
  const attachments: Attachment[] = [];
  const operations = new Map<string, Operation>();
  const budget = { lost: 0, throttled: 0, busy: 0, lagging: 0 };
  const spend = (kind: keyof typeof budget) => budget[kind] > 0 && (budget[kind] -= 1) >= 0;

  const root = `https://www.googleapis.com/compute/v1/projects/${project}`;
  const urlOf = (kind: string, id: string) => `${root}/zones/${id.replace('/', `/${kind}/`)}`;
  const idInUrl = (url: string) => /zones\/([^/]+)\/disks\/([^/]+)$/.exec(url)?.slice(1).join('/') ?? url;

  const instanceAnswer = (id: string, instance: Instance) => ({
    kind: 'compute#instance',
    id: '1',
    name: instance.name,
    zone: `${root}/zones/${instance.zone}`,
    status: instance.status ?? 'RUNNING',
    ...(instance.creationTimestamp && { creationTimestamp: instance.creationTimestamp }),
    labels: instance.labels,
    metadata: { kind: 'compute#metadata', items: [{ key: 'user-data', value: '#cloud-config' }] },
    networkInterfaces: [
      {
        kind: 'compute#networkInterface',
        name: 'nic0',
        networkIP: instance.address,
        ...(instance.natIP && { accessConfigs: [{ type: 'ONE_TO_ONE_NAT', natIP: instance.natIP }] }),
      },
    ],
    disks: attachments
      .filter((one) => one.instance === id)
      .map(({ disk, deviceName, mode }, index) => ({
        kind: 'compute#attachedDisk',
        type: 'PERSISTENT',
        index,
        source: urlOf('disks', disk),
        deviceName,
        mode,
      })),
  });
  const diskAnswer = (id: string, disk: Disk) => {
    const users = attachments.filter((one) => one.disk === id).map(({ instance }) => urlOf('instances', instance));
    return {
      kind: 'compute#disk',
      id: '2',
      name: disk.name,
      zone: `${root}/zones/${disk.zone}`,
      sizeGb: '20',
      status: 'READY',
      labels: disk.labels,
      ...(users.length > 0 && { users }),
    };
  };
  const operationAnswer = ({ name, type, zone, instance, state, error }: Operation) => ({
    kind: 'compute#operation',
    name,
    operationType: type,
    status: state,
    progress: state === 'DONE' ? 100 : 0,
    zone: `${root}/zones/${zone}`,
    targetLink: urlOf('instances', instance),
    ...(error && { error: { errors: [error] }, httpErrorStatusCode: 400, httpErrorMessage: 'BAD REQUEST' }),
  });

  /** One page of a list, by zone. */
  function listed(kind: 'instances' | 'disks', { filter = '', pageToken = '0' }: Readonly<Record<string, string>>) {
    const [, key = '', value = ''] = /^labels\.([\w-]+) = "([^"]*)"$/.exec(filter) ?? [];
    const all: readonly (readonly [string, Instance | Disk])[] = [...(kind === 'instances' ? instances : disks)];
    const matching = all.filter(([, { labels, zone }]) => labels[key] === value && !silent.has(zone));
    const from = Number(pageToken);
    const answers = matching.slice(from, from + PAGE).map(([id, item]) => ({
      zone: item.zone,
      answer: kind === 'instances' ? instanceAnswer(id, item as Instance) : diskAnswer(id, item),
    }));
    const zones = new Set(all.map(([, { zone }]) => zone));
    const scope = (zone: string) => {
      const items = answers.filter((one) => one.zone === zone).map(({ answer }) => answer);
      const code = silent.has(zone) ? 'UNREACHABLE' : 'NO_RESULTS_ON_PAGE';
      return [`zones/${zone}`, items.length > 0 ? { [kind]: items } : { warning: { code, message: zone } }] as const;
    };
    return {
      kind: kind === 'instances' ? 'compute#instanceAggregatedList' : 'compute#diskAggregatedList',
      id: `projects/${project}/aggregated/${kind}`,
      items: Object.fromEntries([...zones].map(scope)),
      ...(silent.size > 0 && { unreachables: [...silent].map((zone) => `projects/${project}/zones/${zone}`) }),
      ...(from + PAGE < matching.length && { nextPageToken: String(from + PAGE) }),
    };
  }

  const inUse = (disk: string, instance: string) =>
    `The disk resource '${urlOf('disks', disk)}' is already being used by '${urlOf('instances', instance)}'`;

  function startOperation(type: string, { parameters }: CheckedRequest, run: Operation['run']): Operation {
    const { zone = '', instance = '', requestId = randomUUID() } = parameters;
    const known = operations.get(requestId);
    if (known !== undefined) return known;
    const made = {
      name: `operation-${requestId}`,
      type,
      zone,
      instance: `${zone}/${instance}`,
      run,
      state: 'PENDING',
    } as Operation;
    operations.set(requestId, made);
    return made;
  }

  function attach(request: CheckedRequest): Operation | Refusal {
    const { zone, instance = '' } = request.parameters;
    const { source, deviceName, mode = 'READ_WRITE' } = request.body as Readonly<Record<string, string>>;
    const [disk, id] = [idInUrl(source ?? ''), `${zone}/${instance}`];
    if (!disks.has(disk) || !instances.has(id)) return notFound(disk);
    if (spend('busy')) return refuse(400, 'resourceNotReady', `The resource '${urlOf('instances', id)}' is not ready`);
    const holds = attachments.find((one) => one.disk === disk);
    const isRepeated = operations.has(request.parameters['requestId'] ?? '');
    // A disk that is attached already is refused at once; one that is attached meanwhile, when the operation runs.
    if (holds !== undefined && !isRepeated) {
      return refuse(400, 'resourceInUseByAnotherResource', inUse(disk, holds.instance));
    }
    return startOperation('attachDisk', request, () => {
      const [holder] = attachments.filter((one) => one.disk === disk);
      if (holder !== undefined) {
        return { code: 'RESOURCE_IN_USE_BY_ANOTHER_RESOURCE', message: inUse(disk, holder.instance) };
      }
      attachments.push({ disk, instance: id, deviceName: deviceName ?? 'persistent-disk-1', mode });
      return undefined;
    });
  }

  function detach(request: CheckedRequest): Operation | Refusal {
    const { zone, instance = '', deviceName } = request.parameters;
    const at = () =>
      attachments.findIndex((one) => one.instance === `${zone}/${instance}` && one.deviceName === deviceName);
    if (at() === -1) {
      return refuse(
        400,
        'invalid',
        `Invalid value for field 'disk': '${deviceName}'. No attached disk found with device name '${deviceName}'`,
      );
    }
    return startOperation('detachDisk', request, () => {
      attachments.splice(at(), 1);
      return undefined;
    });
  }

  /** Each wait advances an operation: after the first one it is still running. */
  function wait({ parameters }: CheckedRequest): Operation | Refusal {
    const operation = [...operations.values()].find(({ name }) => name === parameters['operation']);
    if (operation === undefined) return notFound(parameters['operation'] ?? '');
    if (operation.state === 'PENDING') operation.state = 'RUNNING';
    else if (operation.state === 'RUNNING') {
      const error = operation.run();
      if (error !== undefined) operation.error = error;
      operation.state = 'DONE';
    }
    return operation;
  }

  function answerTo(request: CheckedRequest): object | Refusal {
    const { method, parameters } = request;
    const id = (kind: string) => `${parameters['zone']}/${parameters[kind]}`;
    switch (method.id) {
      case 'compute.instances.aggregatedList':
        return listed('instances', parameters);
      case 'compute.disks.aggregatedList':
        return listed('disks', parameters);
      case 'compute.instances.get': {
        const instance = instances.get(id('instance'));
        if (instance === undefined) return notFound(id('instance'));
        const answer = instanceAnswer(id('instance'), instance);
        return spend('lagging') ? { ...answer, disks: [] } : answer;
      }
      case 'compute.disks.get': {
        const disk = disks.get(id('disk'));
        if (disk === undefined) return notFound(id('disk'));
        const answer = diskAnswer(id('disk'), disk);
        return spend('lagging') ? { ...answer, users: [] } : answer;
      }
      default: {
        const changes = {
          'compute.instances.attachDisk': attach,
          'compute.instances.detachDisk': detach,
          'compute.zoneOperations.wait': wait,
        };
        const operation = changes[method.id as keyof typeof changes](request);
        return operation instanceof Refusal ? operation : operationAnswer(operation);
      }
    }
  }

  /** Scopes are checked before permissions; the permission for `compute.disks.list` is `compute.disks.list`. */
  function denied(token: string, { method }: CheckedRequest): Refusal | undefined {
    const { isScopeMissing, lacks } = rights.get(token) ?? {};
    if (isScopeMissing === true) {
      return refuse(
        403,
        'insufficientPermissions',
        'Request had insufficient authentication scopes.',
        'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
      );
    }
    return method.id === lacks
      ? refuse(403, 'forbidden', `Required '${lacks}' permission for 'projects/${project}'`)
      : undefined;
  }

  const server = await serve(async (asked, answer) => {
    const url = new URL(asked.url ?? '', 'http://localhost');
    const request = checkRequest(asked.method ?? '', url, await bodyOf(asked));
    if (request === undefined || request.parameters['project'] !== project) {
      faults.push(`${asked.method} ${asked.url} is not a method`);
      return send(answer, notFound(url.pathname));
    }
    faults.push(...request.faults);
    if (request.faults.length > 0) return send(answer, refuse(400, 'invalid', request.faults.join('; ')));
    const [, token] = /^Bearer (.+)$/.exec(asked.headers.authorization ?? '') ?? [];
    if (token === undefined) return send(answer, refuse(401, 'required', 'Login Required.'));
    const isPartial = request.parameters['returnPartialSuccess'] === 'true';
    if (request.method.id.endsWith('List') && silent.size > 0 && !isPartial) {
      return send(answer, refuse(500, 'backendError', 'Backend Error'));
    }
    if (spend('throttled')) return send(answer, refuse(403, 'rateLimitExceeded', 'Quota exceeded for quota metric'));
    const reply = denied(token, request) ?? answerTo(request);
    const isChange = request.method.id.endsWith('Disk');
    if (isChange && !(reply instanceof Refusal) && spend('lost')) return answer.destroy();
    if (reply instanceof Refusal) return send(answer, reply);
    faults.push(...checkMessage(request.method.response ?? '', reply, request.method.id));
    const { fields } = request.parameters;
    return send(answer, fields === undefined ? reply : (masked(reply, parseMask(fields)) as object));
  });
  return {
    ...server,
    faults,
    instances,
    disks,
    rights,
    silent,
    holderOf: (id) => attachments.find(({ disk }) => disk === id)?.instance,
    attachByHand: (attachment) => void attachments.push(attachment),
    loseAnswers: (count) => void (budget.lost = count),
    throttle: (count) => void (budget.throttled = count),
    beBusy: (count) => void (budget.busy = count),
    lag: (count) => void (budget.lagging = count),
  };
}

function send(answer: ServerResponse, reply: object): void {
  const [status, body] = reply instanceof Refusal ? [reply.status, reply.body] : [200, reply];
  answer.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(body));
}
