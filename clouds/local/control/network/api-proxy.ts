import { type Server, type Socket, connect } from 'node:net';

/** A control-plane machine that does not accept a connection within this time has no API server. */
const CONNECT_TIMEOUT_MS = 2000;
const API_PORT = 443;

/**
 * Forwards each connection on the host's port to the API server of a running control-plane machine, in turn, and skips
 * those that refuse. The listening socket belongs to the host while this process runs in the network of the cluster;
 * nothing else connects the two.
 */
export function proxyApi(listening: Server, controlPlaneAddresses: () => readonly string[]): void {
  let turn = 0;
  listening.on('connection', (client) => {
    client.on('error', () => client.destroy());
    client.pause();
    const addresses = controlPlaneAddresses();
    turn += 1;
    const inTurn = addresses.map((_, index) => addresses[(index + turn) % addresses.length] ?? '');
    connectFirst(inTurn, client).then(
      (upstream) => join(client, upstream),
      () => client.resetAndDestroy(),
    );
  });
}

async function connectFirst(addresses: readonly string[], client: Socket): Promise<Socket> {
  for (const address of addresses) {
    const upstream = await tryConnect(address);
    if (upstream !== undefined && !client.destroyed) return upstream;
    upstream?.destroy();
  }
  throw new Error('no control-plane machine accepts connections');
}

function tryConnect(address: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port: API_PORT, noDelay: true, timeout: CONNECT_TIMEOUT_MS });
    const failed = (): void => {
      socket.destroy();
      resolve(undefined);
    };
    socket.once('error', failed);
    socket.once('timeout', failed);
    socket.once('connect', () => {
      socket.off('error', failed);
      socket.off('timeout', failed);
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}

function join(client: Socket, upstream: Socket): void {
  client.setNoDelay(true);
  upstream.on('error', () => client.destroy());
  client.on('close', () => upstream.destroy());
  upstream.on('close', () => client.destroy());
  client.pipe(upstream).pipe(client);
}
