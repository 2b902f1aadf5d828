import { renderTemplates } from '@kopsctl/actions/render-template.ts';
import { writeOutput } from '@kopsctl/actions/files/write-output.ts';
import type { GlobalOptions } from '../global-options.ts';
import { writeDocument } from '../terminal.ts';

export interface RenderTemplateOptions {
  readonly template?: readonly string[];
  readonly snippets?: readonly string[];
  readonly values?: readonly string[];
  readonly set?: readonly string[];
  readonly setString?: readonly string[];
  readonly failOnMissing?: boolean;
  readonly formatYaml?: boolean;
  /** A file in place of standard output. */
  readonly output?: string;
}

/** Renders templates of specs. */
export async function renderTemplate(
  { name }: GlobalOptions,
  {
    template,
    snippets,
    values,
    set,
    setString,
    failOnMissing = true,
    formatYaml = false,
    output,
  }: RenderTemplateOptions,
): Promise<number> {
  const text = await renderTemplates({
    templates: template ?? [],
    snippets: snippets ?? [],
    values: values ?? [],
    set: set ?? [],
    setText: setString ?? [],
    clusterName: name,
    failsOnMissing: failOnMissing,
    formatsYaml: formatYaml,
  });
  if (output === undefined) writeDocument(text);
  else await writeOutput(output, text);
  return 0;
}
