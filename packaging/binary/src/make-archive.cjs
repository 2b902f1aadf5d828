'use strict';
// Run by the Node and under the flags of a single executable, as `make-archive.cjs JOB`: puts a program's chunks into
// one file, each with the code that V8 makes of it in the wrapper that sea-loader.cjs puts around it. What the program
// does in its rehearsals has been compiled by then and is kept with it; the rest is compiled when it is first called.
const { readFileSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

/** V8 reads a code cache in place, and wants it aligned. */
const ALIGNMENT = 64;

/** dir, chunks: where they are; archive, index: what is written; rehearsals: command lines, run one after the other. */
const { dir, chunks, archive, index, rehearsals } = JSON.parse(readFileSync(process.argv[2], 'utf8'));

// V8 forgets code that has not been run for a while. The flag is part of what a code cache is valid for, so it is put
// back before one is made.
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

/** A program has ended when nothing is left to do. */
process.on('beforeExit', () => {
  if (process.exitCode)
    throw new Error(`a rehearsal ended with ${process.exitCode}: ${process.argv.slice(2).join(' ')}`);
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
