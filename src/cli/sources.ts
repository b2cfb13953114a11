import { type Command, InvalidArgumentError } from 'commander'
import { openOutbound, openParserPool } from '../app/service.ts'
import { JOB_BOARDS } from '../providers/job-boards/index.ts'
import { RobotsCache } from '../providers/robots-cache.ts'
import { type CheckedSource, checkSources } from '../research/check-sources.ts'
import { normalizeDomain } from '../shared/domains.ts'
import { loadCommandConfig } from './context.ts'
import { EXIT_CODES } from './terminal/exit-codes.ts'
import type { TerminalIo } from './terminal/io.ts'
import { type TableColumn, TerminalOutput, withStyle } from './terminal/output.ts'
import { ProgressDisplay } from './terminal/progress.ts'

/** Large enough to be in every source, and named in the documentation of EDGAR and Wikidata. */
const EXAMPLE = { name: 'Microsoft', domain: 'microsoft.com' }

type Options = { company: string; domain: string; board: Map<string, string>; json?: boolean }

export function sourceCommands(program: Command, io: TerminalIo): void {
  program
    .command('sources')
    .command('check')
    .description('Send every source of research a small query, and print what it answers; stores nothing')
    .option('--company <name>', 'the company to search for', EXAMPLE.name)
    .option('--domain <domain>', 'its domain', readDomain, EXAMPLE.domain)
    .option(
      '--board <vendor:name>',
      'a job board to read in place of the example; may be repeated',
      addBoard,
      new Map(),
    )
    .option('--json', 'print JSON')
    .action(async ({ company, domain, board, json = false }: Options) => {
      const { config, log } = loadCommandConfig()
      await using outbound = openOutbound(config, log)
      await using parserPool = openParserPool(config)
      const errors = new TerminalOutput(io.stderr, io.env)
      const progress = new ProgressDisplay(errors, json && !errors.isTerminal)
      const interrupt = new AbortController()
      const release = io.onInterrupt(() => interrupt.abort())
      // A check reports nothing to the list of sources, which shows the outcomes of the service.
      const health = { report: async () => {} }
      const parts = { config, outbound, parserPool, log, health, robots: new RobotsCache(), now: () => new Date() }
      try {
        const checked = await checkSources(
          parts,
          {
            company: { name: company, domain },
            boards: board,
            onChecked: (done, total, source) => progress.show(done / total, `${done} of ${total}: ${source}`),
          },
          interrupt.signal,
        )
        progress.end()
        const out = new TerminalOutput(io.stdout, io.env)
        if (json) out.json(checked)
        else print(out, checked)
        if (checked.some(({ outcome }) => outcome === 'failed')) io.setExitCode(EXIT_CODES.work_failed)
      } finally {
        progress.end()
        release()
      }
    })
}

function print(out: TerminalOutput, checked: CheckedSource[]): void {
  const columns: TableColumn<CheckedSource>[] = [
    { title: 'SOURCE', value: ({ source }) => source },
    { title: 'OUTCOME', value: ({ outcome }) => (outcome === 'failed' ? withStyle('bad', outcome) : outcome) },
    { title: 'ITEMS', value: ({ outcome, items }) => (outcome === 'items' ? items : '-'), right: true },
    { title: 'TIME', value: ({ ms }) => (ms === null ? '-' : `${(ms / 1000).toFixed(1)} s`), right: true },
    { title: 'FIRST ITEM', value: ({ first }) => first ?? '-' },
  ]
  out.table(columns, checked)
  const explained = checked.filter(({ reason }) => reason !== null)
  if (explained.length > 0) out.line('')
  for (const { source, outcome, reason } of explained) {
    const prefix = reason?.startsWith(source) ? '' : `${source}: `
    out.text(`${outcome}: ${prefix}${reason}`, { indent: '  ', first: [''] })
  }
}

function readDomain(text: string): string {
  const domain = normalizeDomain(text)
  if (!domain) throw new InvalidArgumentError('It must be a domain such as acme.com.')
  return domain
}

function addBoard(text: string, boards: Map<string, string>): Map<string, string> {
  const [, vendor = '', token = ''] = /^([a-z]+):(.+)$/.exec(text) ?? []
  if (!Object.hasOwn(JOB_BOARDS, vendor)) {
    throw new InvalidArgumentError(
      `It must be a vendor and a name; the vendors are ${Object.keys(JOB_BOARDS).join(', ')}.`,
    )
  }
  return new Map(boards).set(vendor, token)
}
