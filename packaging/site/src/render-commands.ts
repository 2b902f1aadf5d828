import { escapeHtml } from '@kopsctl/cli/output/escape-html.ts';
import { visibleCommands } from '@kopsctl/cli/help/command-tree.ts';
import { addExamples } from '@kopsctl/cli/help/examples.ts';
import { buildProgram } from '@kopsctl/cli/program.ts';

/** A page of every command: its help, as the program prints it. */
export async function renderCommands(): Promise<string> {
  const program = await buildProgram({}, { code: 0, path: [], verbosity: 0 });
  addExamples(program);
  const all = visibleCommands(program);
  const idOf = (path: string): string => path.replaceAll(' ', '-');
  const contents = all.map(
    ({ path, command }) =>
      `<li><a href="#${idOf(path)}"><code>${escapeHtml(path)}</code></a>: ${escapeHtml(command.description())}</li>`,
  );
  const sections = all.map(({ path, command }) => {
    let help = '';
    // What is added after the help (examples) is only there where it is printed.
    command.configureOutput({ writeOut: (text) => void (help += text), getOutHelpWidth: () => 120 });
    command.outputHelp();
    return `<h2 id="${idOf(path)}">kopsctl ${escapeHtml(path)}</h2>\n<pre>${escapeHtml(help.trim())}</pre>`;
  });
  return `<h1>Commands</h1>\n<ul>\n${contents.join('\n')}\n</ul>\n${sections.join('\n')}\n`;
}
