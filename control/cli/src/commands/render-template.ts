import { renderTemplates } from '@kopsctl/actions/render-template.ts';
import { writeOutput } from '@kopsctl/actions/files/write-output.ts';
import { DEFAULT_CHANNEL } from '@kopsctl/spec/complete/identity.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { writeDocument } from '../output/terminal.ts';

export interface RenderTemplateOptions {
  readonly template?: readonly string[];
  readonly snippets?: readonly string[];
  readonly values?: readonly string[];
  readonly set?: readonly string[];
  readonly setString?: readonly string[];
  readonly failOnMissing?: boolean;
  readonly formatYaml?: boolean;
  /** A file in place of standard output; `output` is kops's former name of it. */
  readonly out?: string;
  readonly output?: string;
  readonly configValue?: string;
  readonly channel?: string;
}

/** Renders templates of specs. */
export async function renderTemplate(
  global: GlobalOptions,
  cluster: string | undefined,
  {
    template,
    snippets,
    values,
    set,
    setString,
    failOnMissing = true,
    formatYaml = false,
    output,
    out = output,
    configValue,
    channel = DEFAULT_CHANNEL,
  }: RenderTemplateOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const text = await renderTemplates(actionContext(global, env), {
    templates: template ?? [],
    snippets: snippets ?? [],
    values: values ?? [],
    set: set ?? [],
    setText: setString ?? [],
    clusterName: cluster ?? global.name,
    channel,
    configValue,
    failsOnMissing: failOnMissing,
    formatsYaml: formatYaml,
  });
  if (out === undefined) writeDocument(text);
  else await writeOutput(out, text);
  return 0;
}
