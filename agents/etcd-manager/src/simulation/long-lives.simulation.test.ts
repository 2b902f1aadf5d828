import { often } from '@kopsctl/test-suite/long.ts';
import { isShort } from './run-seed.ts';
import { testSeeds } from './testing/seeds.ts';

testSeeds('long lives and tales', often(5_000, 40_000), (seed) => !isShort(seed));
