'use strict';
// The script of a single executable: it answers `require` from the chunks inside the file, and Node's own modules.
const { Script } = require('node:vm');
const { getAsset, getRawAsset } = require('node:sea');
const { dirname } = require('node:path');

const builtin = require;
/** Name of a chunk → where its text and its code cache lie in the archive: [offset, length, offset, length]. */
const index = JSON.parse(getAsset('index.json', 'utf8'));
// All chunks in one asset: of what is never read no page is ever mapped.
const archive = getRawAsset('archive');
const chunks = new Map();

/** Runs a chunk when it is first asked for. V8 takes its code cache only when this text is the one it was made for. */
function load(id) {
  if (!id.startsWith('./')) return builtin(id);
  const name = id.slice(2);
  const known = chunks.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  chunks.set(name, module);
  const [start, length, cacheStart, cacheLength] = index[name];
  // esbuild writes ASCII only.
  const text = Buffer.from(archive, start, length).latin1Slice();
  const script = new Script(`(function(exports,require,module,__filename,__dirname){${text}\n})`, {
    filename: name,
    cachedData: Buffer.from(archive, cacheStart, cacheLength),
  });
  const filename = process.execPath;
  script.runInThisContext()(module.exports, load, module, filename, dirname(filename));
  return module.exports;
}

load('./main.cjs');
