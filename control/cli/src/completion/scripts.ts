/** The shells that completion is written for. */
export const SHELLS = ['bash', 'fish', 'powershell', 'zsh'] as const;
export type Shell = (typeof SHELLS)[number];

/*
 * Each script asks `kopsctl __complete -- WORDS` what may stand in the place of the last word, and gets a word on each line,
 * with what it is behind a tab. Where that is nothing, the shell completes files.
 */

const BASH = `# Completion of kopsctl for bash. Load it with: source <(kopsctl completion bash)
__kopsctl_complete() {
  # bash breaks words at '=' and ':', and kopsctl does not: what it broke is put together.
  local breaks="\${COMP_WORDBREAKS//[^=:]/}" line word isBreak=
  local -a words=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    local last=$((\${#words[@]} - 1)) wasBreak=$isBreak
    isBreak=; [[ -n $breaks && $word == [=:]* ]] && isBreak=yes
    if [[ -n $word && $last -ge 0 && -n $isBreak$wasBreak ]]; then words[last]+=$word; else words+=("$word"); fi
  done
  local current="\${words[\${#words[@]} - 1]}"
  COMPREPLY=()
  while IFS=$'\\t' read -r line _; do
    [[ -n $line ]] && COMPREPLY+=("$line")
  done < <(kopsctl __complete -- "\${words[@]}" 2>/dev/null)
  # More is typed behind a field that is to be set, or that has others below it.
  [[ \${#COMPREPLY[@]} -gt 0 && \${COMPREPLY[0]} == *[.=] ]] && compopt -o nospace 2>/dev/null
  # bash replaces what comes after the last break alone.
  if [[ -n $breaks ]]; then COMPREPLY=("\${COMPREPLY[@]#"\${current%"\${current##*[$breaks]}"}"}"); fi
}
complete -o default -o nosort -F __kopsctl_complete kopsctl 2>/dev/null || complete -o default -F __kopsctl_complete kopsctl
`;

const ZSH = `#compdef kopsctl
# Completion of kopsctl for zsh. Load it with: source <(kopsctl completion zsh)
_kopsctl() {
  local -a candidates
  local word description
  while IFS=$'\\t' read -r word description; do
    [[ -n $word ]] && candidates+=("\${word//:/\\\\:}\${description:+:$description}")
  done < <(kopsctl __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  # More is typed behind a field that is to be set, or that has others below it.
  local -a together
  [[ \${candidates[1]%%:*} == *[.=] ]] && together=(-S '')
  if (( \${#candidates} )); then _describe -V kopsctl candidates "\${together[@]}"; else _files; fi
}
# Installed in a folder of fpath, this file itself is what the first completion calls.
if [[ $funcstack[1] == _kopsctl ]]; then
  _kopsctl "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
  compdef _kopsctl kopsctl
fi
`;

const FISH = `# Completion of kopsctl for fish. Load it with: kopsctl completion fish | source
function __kopsctl_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found (kopsctl __complete -- $words[2..-1] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
        return
    end
    # With -f, fish itself offers no files. Of --flag=FILE, the flag belongs to the word.
    set -l flag (string match -r -- '^--[^=]+=' $words[-1]; or echo)
    for path in (complete -C "'' "(string replace -r -- '^--[^=]+=' '' $words[-1]))
        echo $flag$path
    end
end
complete -c kopsctl -f -k -a '(__kopsctl_complete)'
`;

const POWERSHELL = `# Completion of kopsctl for PowerShell. Load it with: kopsctl completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName kopsctl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    & kopsctl __complete -- @words "$wordToComplete" 2>$null | ForEach-Object {
        $word, $description = $_ -split "\`t", 2
        if (-not $description) { $description = $word }
        [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $description)
    }
}
`;

/** The script that a shell loads. */
export function completionScript(
  shell: Shell,
  { withDescriptions = true }: { readonly withDescriptions?: boolean } = {},
): string {
  const script = { bash: BASH, fish: FISH, powershell: POWERSHELL, zsh: ZSH }[shell];
  return withDescriptions
    ? script
    : script.replace('kopsctl __complete -- ', 'kopsctl __complete --no-descriptions -- ');
}
