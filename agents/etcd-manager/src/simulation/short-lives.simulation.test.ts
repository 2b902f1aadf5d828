import { often } from '@kopsctl/test-suite/long.ts';
import { isShort } from './run-seed.ts';
import { testSeeds } from './testing/seeds.ts';

testSeeds('short lives', often(5_000, 40_000), isShort);
