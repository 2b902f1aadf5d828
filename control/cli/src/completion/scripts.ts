/** The shells that completion is written for. */
export const SHELLS = ['bash', 'fish', 'powershell', 'zsh'] as const;
export type Shell = (typeof SHELLS)[number];

/*
 * Each script asks `kopsctl __complete -- WORDS` what may stand in the place of the last word, and gets a word on each line,
 * with what it is behind a tab. Where that is nothing, the shell completes files.
 */

const BASH = `# Completion of kopsctl for bash. Load it with: source <(kopsctl completion bash)
__kopsctl_complete() {
  local current="\${COMP_WORDS[COMP_CWORD]}" line
  local -a words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  # bash breaks words at '=' and ':', kopsctl does not.
  if declare -F _get_comp_words_by_ref >/dev/null; then
    local cword; _get_comp_words_by_ref -n =: -c current -w words -i cword
    words=("\${words[@]:1:cword}")
  fi
  COMPREPLY=()
  while IFS=$'\\t' read -r line _; do
    [[ -n $line ]] && COMPREPLY+=("$line")
  done < <(kopsctl __complete -- "\${words[@]}" 2>/dev/null)
  if declare -F __ltrim_colon_completions >/dev/null; then __ltrim_colon_completions "$current"; fi
  # More is typed behind a field that is to be set, or that has others below it.
  [[ \${#COMPREPLY[@]} -gt 0 && \${COMPREPLY[0]} == *[.=] ]] && compopt -o nospace 2>/dev/null
  # Of --flag=value the part after '=' alone is the word that bash replaces.
  if [[ $current == --*=* && $COMP_WORDBREAKS == *=* ]]; then COMPREPLY=("\${COMPREPLY[@]#*=}"); fi
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
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _kopsctl kopsctl
`;

const FISH = `# Completion of kopsctl for fish. Load it with: kopsctl completion fish | source
function __kopsctl_complete
    set -l words (commandline -opc) (commandline -ct)
    kopsctl __complete -- $words[2..-1] 2>/dev/null
end
complete -c kopsctl -f -k -a '(__kopsctl_complete)'
complete -c kopsctl -s f -l filename -r -F
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
export const completionScript = (shell: Shell): string =>
  ({ bash: BASH, fish: FISH, powershell: POWERSHELL, zsh: ZSH })[shell];
