import { isLong } from './run-seed.ts';
import { testSeeds } from './seeds.ts';

testSeeds('long lives', isLong);
