import { often } from '@kopsctl/test-suite/long.ts';
import { isLong } from './run-seed.ts';
import { testSeeds } from './testing/seeds.ts';

testSeeds('long lives', often(2_000, 40_000), isLong);
