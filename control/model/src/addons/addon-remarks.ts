import type { Origins } from '@kopsctl/spec/complete.ts';
import { canonicalRepository, parseImage } from '@kopsctl/spec/image-reference.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';
import { replacedNote } from '../assets/replaced.ts';
import { PREPARED_ON_REQUEST } from './prepared-images.ts';
import type { RunnableAddons } from './runnable-addons.ts';

interface Remarks {
  /** Addons that the user asked for and that cannot be installed. */
  readonly faults: readonly Fault[];
  /** Sentences about default addons that are left out, and about replaced images. */
  readonly notes: readonly string[];
}

/** What a person does about an addon whose images are not there. Only images of the book of recipes can be prepared. */
function hintFor(images: readonly string[]): string {
  const repositories = images.map((image) => canonicalRepository(parseImage(image).repository));
  if (!repositories.every((repository) => PREPARED_ON_REQUEST.has(repository))) {
    return 'leave out the image, so that it is the one that can be prepared, or leave out the addon';
  }
  const names = repositories.map((repository) => repository.split('/').at(-1));
  return `prepare it with \`npm run assets -- --images ${names.join(',')}\`, or leave it out`;
}

/**
 * Tells the user about addons whose images the prepared assets do not hold.
 *
 * @param origins the rule that set each field of the spec: the user wrote every field that is not listed
 */
export function addonRemarks({ leftOut, replaced }: RunnableAddons, origins: Origins): Remarks {
  const isWished = (askedBy: string | undefined): askedBy is string =>
    askedBy !== undefined && origins[askedBy] === undefined;
  return {
    faults: leftOut.flatMap(({ addon: { askedBy, name }, images }) =>
      isWished(askedBy)
        ? [fault(askedBy, `${name} needs ${images.join(', ')}, which the prepared assets do not hold`, hintFor(images))]
        : [],
    ),
    notes: [
      ...leftOut.flatMap(({ addon: { askedBy, name }, images }) =>
        isWished(askedBy)
          ? []
          : [
              `Left out: ${name} needs ${images.join(', ')}, which the prepared assets do not hold (prepare it with \`npm run assets\`)`,
            ],
      ),
      ...replaced.map(replacedNote),
    ],
  };
}
