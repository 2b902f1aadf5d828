/** Serves the files of a folder over HTTP, whole or in part: `node serve-folder.ts FOLDER ADDRESS PORT`. */
import { createServer } from 'node:http';
import { basename, dirname, join, normalize } from 'node:path';
import { serveAsset } from '@kopsctl/clouds/local/control/metadata/serve-asset.ts';

const [folder = '', address = '', port = ''] = process.argv.slice(2);
createServer((request, response) => {
  const path = join(folder, normalize(decodeURIComponent(request.url ?? '/')));
  serveAsset(dirname(path), basename(path), request, response).catch((error: unknown) => {
    if (!response.headersSent) response.writeHead(404);
    response.end(String(error));
  });
}).listen(Number(port), address, () => process.send?.('ready'));
