import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The machine type and image that the cloud has. */
export const MACHINE_TYPE = 't3.medium';
export const IMAGE = 'ami-12345678';
export const BUCKET = 'rehearsal';

/**
 * Serves, on this computer, an AWS account that has nothing but one image, one machine type and one bucket. It is for
 * rehearsals: programs go the way that they go with a real account, so that V8 compiles the clients.
 *
 * @param files what the bucket has, by key
 */
export async function serveRehearsalCloud(
  files: Readonly<Record<string, string>>,
): Promise<{ readonly url: string } & AsyncDisposable> {
  const objects = new Map(Object.entries(files).map(([key, text]) => [key, Buffer.from(text)]));
  const server = createServer((request, response) => {
    void answer(request, response, objects);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

type Objects = Map<string, Buffer>;

async function answer(request: IncomingMessage, response: ServerResponse, objects: Objects): Promise<void> {
  const body = await buffer(request);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const [, first = '', ...rest] = pathname.split('/');
  if (first === BUCKET) return answerBucket(request, response, { objects, searchParams, key: rest.join('/'), body });
  if (request.headers['x-amz-target'] !== undefined) {
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    return void response.end('{}');
  }
  const action = new URLSearchParams(body.toString()).get('Action') ?? '';
  if (/^Get(?:Role|InstanceProfile)/.test(action)) {
    response.statusCode = 404;
    return sendXml(response, `<ErrorResponse>${errorOf('NoSuchEntity')}</ErrorResponse>`);
  }
  sendXml(response, `<${action}Response>${ACTIONS[action] ?? ''}<${action}Result/></${action}Response>`);
}

const ACTIONS: Readonly<Record<string, string>> = {
  DescribeImages: `<imagesSet><item><imageId>${IMAGE}</imageId><imageState>available</imageState><architecture>x86_64</architecture>
<rootDeviceName>/dev/xvda</rootDeviceName><rootDeviceType>ebs</rootDeviceType><blockDeviceMapping><item>
<deviceName>/dev/xvda</deviceName><ebs><volumeSize>8</volumeSize></ebs></item></blockDeviceMapping></item></imagesSet>`,
  DescribeInstanceTypes: `<instanceTypeSet><item><instanceType>${MACHINE_TYPE}</instanceType><processorInfo>
<supportedArchitectures><item>x86_64</item></supportedArchitectures></processorInfo><vCpuInfo><defaultVCpus>2</defaultVCpus></vCpuInfo>
<memoryInfo><sizeInMiB>4096</sizeInMiB></memoryInfo><networkInfo><maximumNetworkInterfaces>3</maximumNetworkInterfaces>
<ipv4AddressesPerInterface>6</ipv4AddressesPerInterface></networkInfo></item></instanceTypeSet>`,
};

interface BucketRequest {
  readonly objects: Objects;
  readonly searchParams: URLSearchParams;
  readonly key: string;
  readonly body: Buffer;
}

/** Conditional writes included, because kopsctl uses no bucket without them. */
function answerBucket(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  { objects, searchParams, key, body }: BucketRequest,
): void {
  const object = objects.get(key);
  if (key === '') return sendXml(response, listing(objects, searchParams.get('prefix') ?? ''));
  if (method === 'PUT') {
    const isAsWanted =
      headers['if-match'] === undefined || (object !== undefined && headers['if-match'] === tagOf(object));
    const mayBeThere = headers['if-none-match'] === undefined || object === undefined;
    if (!isAsWanted || !mayBeThere) return fail(response, 412, 'PreconditionFailed');
    objects.set(key, body);
    return void response.setHeader('etag', tagOf(body)).end();
  }
  if (method === 'DELETE') {
    objects.delete(key);
    response.statusCode = 204;
    return void response.end();
  }
  if (object === undefined) return fail(response, 404, 'NoSuchKey');
  response.setHeader('etag', tagOf(object)).setHeader('content-length', object.length);
  response.end(method === 'HEAD' ? undefined : object);
}

function listing(objects: Objects, prefix: string): string {
  const contents = [...objects].flatMap(([key, bytes]) =>
    key.startsWith(prefix)
      ? `<Contents><Key>${key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>${tagOf(bytes)}</ETag><Size>${bytes.length}</Size></Contents>`
      : [],
  );
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`;
}

function tagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.statusCode = status;
  sendXml(response, errorOf(code));
}

function errorOf(code: string): string {
  return `<Error><Code>${code}</Code><Message>${code}</Message></Error>`;
}

function sendXml(response: ServerResponse, text: string): void {
  response.setHeader('content-type', 'text/xml').end(text);
}
