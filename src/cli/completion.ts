import { Argument, type Command } from 'commander'
import type { TerminalIo } from './terminal/io.ts'

type Flag = { long: string; short?: string; about: string; takesValue: boolean; takesFile: boolean; choices: string[] }
/** A command with its path of words; the path of the program itself is ''. */
type Node = { at: string; commands: { name: string; about: string }[]; flags: Flag[]; choices: string[] }

const SHELLS = { bash, zsh, fish }

export function completionCommand(program: Command, io: TerminalIo): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>').choices(Object.keys(SHELLS)))
    .addHelpText(
      'after',
      `
Install the script once, and again after an upgrade:
  bellwether completion bash > ~/.local/share/bash-completion/completions/bellwether
  bellwether completion zsh > ~/.zfunc/_bellwether      (a folder in your $fpath, before compinit)
  bellwether completion fish > ~/.config/fish/completions/bellwether.fish`,
    )
    .action((shell: keyof typeof SHELLS) => void io.stdout.write(SHELLS[shell](collectNodes(program))))
}

function collectNodes(command: Command, at: string[] = []): Node[] {
  const help = command.createHelp()
  const commands = help.visibleCommands(command).filter((one) => one.name() !== 'help')
  const own: Node = {
    at: at.join(' '),
    commands: commands.map((one) => ({ name: one.name(), about: one.description() })),
    flags: help
      .visibleOptions(command)
      .flatMap(({ long, short, description, required, optional, argChoices, flags }) => {
        if (!long) return []
        return {
          long,
          ...(short ? { short } : {}),
          about: description,
          takesValue: required || optional,
          takesFile: /<(file|out)>/.test(flags),
          choices: argChoices ?? [],
        }
      }),
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  }
  return [own, ...commands.flatMap((one) => collectNodes(one, [...at, one.name()]))]
}

const shellQuote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const flagNames = ({ flags }: Node) => flags.flatMap(({ long, short }) => (short ? [short, long] : [long]))
/** The options that take a value, with their choices if they have any. */
function valueFlags(nodes: Node[]) {
  return nodes.flatMap(({ at, flags }) => flags.filter(({ takesValue }) => takesValue).map((flag) => ({ at, ...flag })))
}

function bash(nodes: Node[]): string {
  const paths = nodes.slice(1).map(({ at }) => shellQuote(at))
  const values = valueFlags(nodes).map(
    ({ at, long, choices }) =>
      `    ${shellQuote(`${at}|${long}`)}) words=${shellQuote(choices.join(' '))}; values=1 ;;`,
  )
  const words = nodes.map(
    (node) =>
      `    ${shellQuote(node.at)}) words=${shellQuote([...node.commands.map(({ name }) => name), ...node.choices].join(' '))} flags=${shellQuote(flagNames(node).join(' '))} ;;`,
  )
  return `# bash completion for bellwether
_bellwether() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at='' next i words='' flags='' values=''
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${at:+$at }\${COMP_WORDS[i]}"
    case "$next" in ${paths.join('|')}) at=$next ;; esac
  done
  case "$at|$prev" in
${values.join('\n')}
  esac
  if [[ -z $values ]]; then
    case "$at" in
${words.join('\n')}
    esac
    [[ $cur == -* ]] && words=$flags
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _bellwether bellwether
`
}

function zsh(nodes: Node[]): string {
  const described = (name: string, about: string) =>
    shellQuote(`${name.replaceAll(':', '\\:')}:${about.replaceAll(':', '\\:')}`)
  const paths = nodes.slice(1).map(({ at }) => `(${shellQuote(at)})`)
  const values = valueFlags(nodes).map(({ at, long, choices, takesFile }) => {
    const offer = choices.length > 0 ? `compadd -- ${choices.map(shellQuote).join(' ')}` : takesFile ? '_files' : ':'
    return `    (${shellQuote(`${at}|${long}`)}) ${offer}; return ;;`
  })
  const words = nodes.map((node) => {
    const commands = [
      ...node.commands.map(({ name, about }) => described(name, about)),
      ...node.choices.map(shellQuote),
    ]
    const flags = node.flags.map(({ long, about }) => described(long, about))
    return `    (${shellQuote(node.at)}) commands=(${commands.join(' ')}) flags=(${flags.join(' ')}) ;;`
  })
  return `#compdef bellwether
_bellwether() {
  local at='' next i
  local -a commands flags
  for ((i = 2; i < CURRENT; i++)); do
    next="\${at:+$at }\${words[i]}"
    case "$next" in
      ${paths.map((one) => `${one} at=$next ;;`).join('\n      ')}
    esac
  done
  case "$at|\${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  case "$at" in
${words.join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o option flags
  elif (( \${#commands} )); then
    _describe command commands
  else
    _files
  fi
}
if [[ $funcstack[1] == _bellwether ]]; then _bellwether "$@"; else compdef _bellwether bellwether; fi
`
}

function fish(nodes: Node[]): string {
  // In fish only \\ and ' are special between quotes.
  const plain = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const lines = nodes.flatMap(({ at, commands, flags, choices }) => {
    const here = `complete -c bellwether -n ${plain(`__bellwether_at ${plain(at)}`)}`
    return [
      ...commands.map(({ name, about }) => `${here} -f -a ${plain(name)} -d ${plain(about)}`),
      ...choices.map((choice) => `${here} -f -a ${plain(choice)}`),
      ...flags.map(({ long, short, about, takesValue, takesFile, choices }) => {
        const value =
          choices.length > 0 ? ` -xa ${plain(choices.join(' '))}` : takesFile ? ' -rF' : takesValue ? ' -x' : ''
        return `${here} -l ${long.slice(2)}${short ? ` -s ${short.slice(1)}` : ''}${value} -d ${plain(about)}`
      }),
    ]
  })
  return `# fish completion for bellwether
function __bellwether_at
  set -l at
  set -l words (commandline -opc)
  set -e words[1]
  for word in $words
    if contains -- (string join ' ' $at $word) ${nodes
      .slice(1)
      .map(({ at }) => plain(at))
      .join(' ')}
      set -a at $word
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}
`
}
