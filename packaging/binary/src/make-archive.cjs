'use strict';
// Run as `make-archive.cjs JOB` by the Node and with the flags of the single executable. Writes the chunks of a program
// into one file, each with its V8 code cache, compiled in the wrapper of sea-loader.cjs. The cache contains the
// functions that ran during the rehearsals; all others are compiled when they are first called.
const { readFileSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

/** V8 reads a code cache in place and requires alignment. */
const ALIGNMENT = 64;

/** dir, chunks: the input; archive, index: the output; rehearsals: command lines, run one after the other. */
const { dir, chunks, archive, index, rehearsals } = JSON.parse(readFileSync(process.argv[2], 'utf8'));

// V8 discards code that has not run for a while. A code cache is valid only with the same flags, so this flag is reset
// before a cache is created.
setFlagsFromString('--no-flush-bytecode');

const scripts = new Map(
  chunks.map((name) => {
    const bytes = readFileSync(join(dir, name));
    const text = bytes.latin1Slice();
    const wrapped = `(function(exports,require,module,__filename,__dirname){${text}\n})`;
    return [name, { bytes, script: new Script(wrapped, { filename: name }) }];
  }),
);
const builtin = require;
const loaded = new Map();

function load(id) {
  if (!id.startsWith('./')) return builtin(id);
  const name = id.slice(2);
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  const filename = join(dir, name);
  scripts.get(name).script.runInThisContext()(module.exports, load, module, filename, dirname(filename));
  return module.exports;
}

/** A program has ended when the event loop is empty. */
process.on('beforeExit', () => {
  if (process.exitCode)
    throw new Error(`a rehearsal exited with ${process.exitCode}: ${process.argv.slice(2).join(' ')}`);
  const next = rehearsals.shift();
  if (next === undefined) write();
  else setImmediate(rehearse, next);
});

function rehearse(argv) {
  process.argv.splice(2, Infinity, ...argv);
  loaded.delete('main.cjs');
  load('./main.cjs');
}

function write() {
  setFlagsFromString('--flush-bytecode');
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
  for (const [name, { bytes, script }] of scripts) places[name] = [...add(bytes), ...add(script.createCachedData())];
  writeFileSync(archive, Buffer.concat(parts));
  writeFileSync(index, JSON.stringify(places));
}
