import { isNotFound } from './aws-error.ts';

/** The result of a request, or undefined if the resource does not exist. */
export async function unlessGone<Result>(question: Promise<Result>): Promise<Result | undefined> {
  try {
    return await question;
  } catch (thrown) {
    if (isNotFound(thrown)) return undefined;
    throw thrown;
  }
}
