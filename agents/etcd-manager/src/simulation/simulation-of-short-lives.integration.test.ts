import { isLong } from './run-seed.ts';
import { testSeeds } from './seeds.ts';

testSeeds('short lives', (seed) => !isLong(seed));
