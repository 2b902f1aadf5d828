'use strict';
// Run by the Node and under the flags of a single executable: `make-archive.cjs DIR ARCHIVE INDEX CHUNK…` puts the
// chunks into one file, each with the code that V8 makes of it in the wrapper that sea-loader.cjs puts around it.
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

/** V8 reads a code cache in place, and wants it aligned. */
const ALIGNMENT = 64;

const [dir, archive, index, ...names] = process.argv.slice(2);
const parts = [];
let size = 0;
const add = (bytes) => {
  const start = size;
  const padding = (ALIGNMENT - (bytes.length % ALIGNMENT)) % ALIGNMENT;
  parts.push(bytes, Buffer.alloc(padding));
  size += bytes.length + padding;
  return [start, bytes.length];
};
const places = {};
for (const name of names) {
  const bytes = readFileSync(join(dir, name));
  const text = bytes.latin1Slice();
  const script = new Script(`(function(exports,require,module,__filename,__dirname){${text}\n})`, { filename: name });
  places[name] = [...add(bytes), ...add(script.createCachedData())];
}
writeFileSync(archive, Buffer.concat(parts));
writeFileSync(index, JSON.stringify(places));
