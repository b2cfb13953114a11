import { Command, CommanderError } from 'commander'
import { VERSION } from '../shared/version.ts'
import { addExamples } from './examples.ts'
import { EXIT_CODES, EXIT_CODES_HELP, errorMessage, exitCodeForError } from './terminal/exit-codes.ts'
import { processIo, type TerminalIo } from './terminal/io.ts'
import { TerminalOutput } from './terminal/output.ts'

type Register = (program: Command, io: TerminalIo) => void
/** The commands of one file: their descriptions in the menu, and how to load them. */
type Entry = { words: Record<string, string>; load: () => Promise<Register> }

/**
 * The menu. Only the file of the called command is loaded, so that remote commands do not load the code of the service and
 * help appears at once.
 */
const MENU: Record<string, Entry[]> = {
  'Daily work, through the API of a service on any machine:': [
    {
      words: { today: 'Whom to contact now: list, done, snooze, reopen' },
      load: async () => (await import('./remote/work-items.ts')).workItemCommands,
    },
    {
      words: { accounts: 'Accounts: list, show, add, activate, reject, scan, tag, assign, export' },
      load: async () => (await import('./remote/accounts.ts')).accountCommands,
    },
    {
      words: { people: 'People: find, list, show, reveal an email or a phone' },
      load: async () => (await import('./remote/people.ts')).peopleCommands,
    },
    {
      words: { findings: 'Recent findings with their proof, newest first' },
      load: async () => (await import('./remote/findings.ts')).findingsCommand,
    },
    {
      words: { discover: 'Find new companies that show signals, and suggest the matches' },
      load: async () => (await import('./remote/discover.ts')).discoverCommand,
    },
    {
      words: { signals: 'Signals: list them, and create your own in plain words' },
      load: async () => (await import('./remote/signals.ts')).signalCommands,
    },
    {
      words: { push: 'Push accounts or people to a CRM or a webhook destination' },
      load: async () => (await import('./remote/push.ts')).pushCommands,
    },
    {
      words: { runs: 'Background work: scans, discoveries, pushes' },
      load: async () => (await import('./remote/runs.ts')).runCommands,
    },
    {
      words: { knowledge: 'The knowledge base: your products and customers' },
      load: async () => (await import('./remote/knowledge.ts')).knowledgeCommands,
    },
    {
      words: {
        usage: 'Credits and counts of this period',
        status: 'Your identity, the connections, and what needs attention',
      },
      load: async () => (await import('./remote/overview.ts')).overviewCommands,
    },
    {
      words: {
        login: 'Store the address of a service and your key as a profile',
        profiles: 'Profiles stored by "bellwether login"',
      },
      load: async () => (await import('./remote/login.ts')).loginCommands,
    },
  ],
  'Agents:': [
    {
      words: { mcp: 'Serve an agent on this machine over its stdin and stdout (Model Context Protocol)' },
      load: async () => (await import('./mcp.ts')).mcpCommand,
    },
  ],
  'Running the service, on its machine and database:': [
    {
      words: {
        serve: 'Run the service: API and worker in one process',
        migrate: 'Bring the database schema up to date and exit; --check only reports',
        distribute:
          'Distribute the tables over the workers of a Citus cluster, once and after upgrades that add tables',
      },
      load: async () => (await import('./serve.ts')).serveCommand,
    },
    {
      words: {
        backup: 'Back up the database while the service runs; verify and list backups',
        restore: 'Restore a backup into an empty database or data folder',
      },
      load: async () => (await import('./backup.ts')).backupCommands,
    },
    {
      words: { doctor: 'Check this installation: network, configuration, disk, clock, database, workers' },
      load: async () => (await import('./doctor.ts')).doctorCommand,
    },
    {
      words: { sources: 'Check which sources of research can be read from this machine' },
      load: async () => (await import('./sources.ts')).sourceCommands,
    },
    {
      words: { workspaces: 'Workspaces of this installation' },
      load: async () => (await import('./workspaces.ts')).workspaceCommands,
    },
    { words: { members: 'Members of a workspace' }, load: async () => (await import('./members.ts')).memberCommands },
    { words: { keys: 'API keys of members' }, load: async () => (await import('./keys.ts')).keyCommands },
    {
      words: { secrets: 'The key that encrypts stored secrets' },
      load: async () => (await import('./secrets.ts')).secretsCommands,
    },
    {
      words: { 'sign-in': 'Print a link that signs a browser in, once, within 15 minutes' },
      load: async () => (await import('./sign-in.ts')).signInCommand,
    },
    {
      words: { audit: 'The audit log: verify that it is complete, forget a removed member' },
      load: async () => (await import('./audit.ts')).auditCommands,
    },
    {
      words: {
        connect: 'Connect a CRM or the chat',
        disconnect: 'Disconnect a CRM or the chat',
        connections: 'List the connections',
      },
      load: async () => (await import('./connections.ts')).connectionCommands,
    },
    {
      words: { import: 'Import records from a file' },
      load: async () => (await import('./import.ts')).importCommands,
    },
    { words: { export: 'Export records to a file' }, load: async () => (await import('./export.ts')).exportCommands },
    {
      words: { engine: 'Run the signal engine on NDJSON, without a database or network' },
      load: async () => (await import('./engine-command.ts')).engineCommand,
    },
  ],
  'The command itself:': [
    {
      words: { completion: 'Print a script that completes commands, options and their values in your shell' },
      load: async () => (await import('./completion.ts')).completionCommand,
    },
  ],
}

/** The `bellwether` command. Sets the exit code; an error is one line on stderr. */
export async function main(argv: string[], given?: TerminalIo): Promise<void> {
  const io = given ?? processIo()
  // A reader that closes the pipe early, such as head, is not an error.
  if (!given) process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  try {
    const called = argv.slice(2).find((word) => word !== 'help' && word !== '--')
    const program = await programFor(called, io)
    if (argv.length > 2) await program.parseAsync(argv)
    else program.outputHelp()
  } catch (error) {
    // Commander has already printed the error and the usage.
    if (error instanceof CommanderError) io.setExitCode(error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.usage)
    else {
      // The stack is in the log of the service; here it would only hide the message.
      new TerminalOutput(io.stderr, io.env).text(errorMessage(error))
      io.setExitCode(exitCodeForError(error))
    }
  }
}

async function programFor(word: string | undefined, io: TerminalIo): Promise<Command> {
  const program = new Command('bellwether')
    .description('Signal intelligence for B2B sales teams, on your own machine.')
    .version(VERSION)
    .showHelpAfterError('Run with --help to see the arguments and options.')
    .addHelpText(
      'after',
      `\n${EXIT_CODES_HELP}\n\nThe service is configured by environment variables: docs/configuration.md. More: docs/cli.md.`,
    )
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns || 100,
      getErrHelpWidth: () => io.stderr.columns || 100,
    })
    .exitOverride()
  for (const [group, entries] of Object.entries(MENU)) {
    program.commandsGroup(group)
    for (const { words, load } of entries) {
      // The completion script covers all commands.
      if (word === 'completion' || Object.hasOwn(words, word ?? '')) (await load())(program, io)
      for (const [name, about] of Object.entries(words)) {
        const command = program.commands.find((one) => one.name() === name) ?? program.command(name)
        if (!command.description()) command.description(about)
      }
    }
  }
  addExamples(program)
  program.helpCommand('help [command]', 'Show the help of a command')
  return program
}
