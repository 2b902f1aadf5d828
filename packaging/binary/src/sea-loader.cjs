'use strict';
// The main script of a single executable. It serves `require` from the chunks in the archive, and from Node's own
// modules.
const { Script } = require('node:vm');
const { getAsset, getRawAsset } = require('node:sea');
const { dirname } = require('node:path');

const builtin = require;
/**
 * Maps the name of a chunk to the position of its text and its code cache in the archive: [offset, length, offset,
 * length].
 */
const index = JSON.parse(getAsset('index.json', 'utf8'));
// All chunks are in one asset: pages that are never read are never mapped.
const archive = getRawAsset('archive');
const chunks = new Map();

/** Runs a chunk when it is first required. V8 accepts its code cache only with exactly this wrapper text. */
function load(id) {
  if (!id.startsWith('./')) return builtin(id);
  const name = id.slice(2);
  const known = chunks.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  chunks.set(name, module);
  const [start, length, cacheStart, cacheLength] = index[name];
  // esbuild writes only ASCII.
  const text = Buffer.from(archive, start, length).latin1Slice();
  const script = new Script(`(function(exports,require,module,__filename,__dirname){${text}\n})`, {
    filename: name,
    // Releases have none: its bytes differ from build to build.
    ...(cacheLength > 0 && { cachedData: Buffer.from(archive, cacheStart, cacheLength) }),
  });
  const filename = process.execPath;
  script.runInThisContext()(module.exports, load, module, filename, dirname(filename));
  return module.exports;
}

load('./main.cjs');
