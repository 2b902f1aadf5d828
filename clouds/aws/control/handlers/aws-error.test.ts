import { expect, test } from 'vitest';
import { explained } from './aws-error.ts';

const failure = (name: string, message: string) => Object.assign(new Error(message), { name });

test('credentials are blamed only where AWS refuses them: EC2 says AuthFailure of other things too', () => {
  const credentials = failure('AuthFailure', 'AWS was not able to validate the provided access credentials');
  expect(explained(credentials, 'look')).toMatchObject({ next: expect.stringContaining('get-caller-identity') });
  const image = failure('AuthFailure', 'Not authorized for images: [ami-1]');
  expect(explained(image, 'look')).toBe(image);
});
