import { writeFileSync } from 'node:fs'
import { VARIABLES } from '../src/config/variables.ts'

const PAGE = new URL('../docs/configuration.md', import.meta.url)

/** A variable belongs to the first group whose pattern its name fits. */
const GROUPS: readonly (readonly [title: string, names: RegExp])[] = [
  [
    'The server',
    /^(PORT|HOST|PUBLIC_URL|TRUST_PROXY|RATE_LIMIT_PER_MINUTE|ALLOWED_HOSTS|SLOW_CLIENT_SECONDS|METRICS_TOKEN)$|^MAX_CONNECTIONS/,
  ],
  ['Setting up', /^(BELLWETHER_API_KEY|WORKSPACE_DOMAIN|SECRETS_KEY)$/],
  ['Database', /^DATA_DIR$|^DATABASE_/],
  ['Log', /^LOG_/],
  ['Workers', /^WORKER_|^SHUTDOWN_/],
  ['Calls to the outside', /^OUTBOUND_|^DNS_/],
  ['Research', /^(SOURCES|SCAN_WINDOW_DAYS|RESCAN_DAYS|DOCUMENT_RETENTION_DAYS)$|^CRAWL_|^MONITOR_|^DISCOVERY_/],
  ['People', /^ROSTER_|^FIND_|^EMAIL_|^PDL_|^ZEROBOUNCE_/],
  ['Delivery', /^PUSH_|^ALERT_|^DELIVERY_/],
  ['CRMs', /^CRM_/],
  ['Language model', /^LLM_|^SECOND_READER_/],
  ['Other', /./],
]

const INTRODUCTION = `# Configuration

Everything is set by environment variables, and everything has a default. A value that cannot be taken ends the start with
one line that names the variable and what it takes. A variable set to nothing counts as not set.

This page is written by \`npm run docs\` from the variables that \`src/config/variables.ts\` lists; change them there. What to back up
and how to run more than one process is in [operating.md](operating.md).
`

type Row = readonly [name: string, about: string, takes: string, fallback: string]

/** The page, as it must stand in docs/configuration.md. */
export function configurationPage(): string {
  const groups = Map.groupBy(Object.entries(VARIABLES), ([name]) => GROUPS.find(([, names]) => names.test(name))?.[0])
  const sections = GROUPS.flatMap(([title]) => {
    const rows = groups.get(title)?.map(([name, { about, takes, default: fallback }]): Row => {
      return [`\`${name}\``, about, takes, written(fallback)]
    })
    return rows ? [`## ${title}\n\n${table([['variable', 'what it is for', 'takes', 'default'], ...rows])}`] : []
  })
  return [INTRODUCTION, ...sections].join('\n')
}

/** A default as one would write it into the environment. */
function written(value: unknown): string {
  if (value === null) return '–'
  const text = value instanceof Object && Symbol.iterator in value ? [...(value as Iterable<unknown>)].join(',') : value
  return text === '' ? '–' : `\`${text}\``
}

/** Aligned, as the formatter wants it. */
function table(rows: readonly Row[]): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |\n`
  const rule = widths.map((width) => '-'.repeat(width))
  const [head = [], ...body] = cells
  return [head, rule, ...body].map(line).join('')
}

if (import.meta.main) {
  writeFileSync(PAGE, configurationPage())
  console.log('docs/configuration.md is up to date.')
}
