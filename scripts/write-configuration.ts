import { writeFileSync } from 'node:fs'
import { VARIABLES } from '../src/config/variables.ts'

const PAGE = new URL('../docs/configuration.md', import.meta.url)

/** A variable belongs to the first group whose pattern matches its name. */
const GROUPS: readonly (readonly [title: string, names: RegExp])[] = [
  [
    'The server',
    /^(PORT|HOST|PUBLIC_URL|TRUST_PROXY|RATE_LIMIT_PER_MINUTE|ALLOWED_HOSTS|SLOW_CLIENT_SECONDS|METRICS_TOKEN)$|^MAX_CONNECTIONS/,
  ],
  ['Setting up', /^(BELLWETHER_API_KEY|WORKSPACE_DOMAIN|SECRETS_KEY)$/],
  ['Signing in', /^OIDC_|^SESSION_/],
  ['Database', /^DATA_DIR$|^DATABASE_/],
  ['Log', /^LOG_/],
  ['Workers', /^WORKER_|^SHUTDOWN_/],
  ['Outbound requests', /^OUTBOUND_|^DNS_/],
  [
    'Research',
    /^(SOURCES|SCAN_WINDOW_DAYS|RESCAN_DAYS|DOCUMENT_RETENTION_DAYS)$|^CRAWL_|^MONITOR_|^DISCOVERY_|^COMPANIES_HOUSE_/,
  ],
  ['People', /^ROSTER_|^FIND_|^EMAIL_|^PDL_|^ZEROBOUNCE_/],
  ['Delivery', /^PUSH_|^ALERT_|^DELIVERY_|^SMTP_|^MAIL_/],
  ['CRMs', /^CRM_/],
  ['Language model', /^LLM_|^SECOND_READER_/],
  ['Other', /./],
]

const INTRODUCTION = `# Configuration

The service is configured with environment variables, and each has a default. With an invalid value the service does not
start: it prints one line that names the variable and the accepted values. An empty variable counts as not set.

A **secret**, marked below, can also be read from a file, such as one that Docker or Kubernetes mounts: set the variable with
\`_FILE\` appended to its name to the path. A line break at the end of the file is ignored.

\`npm run docs\` generates this page from \`src/config/variables.ts\`; edit the descriptions there. Backups and running several
processes are described in [operating.md](operating.md).
`

type Row = readonly [name: string, description: string, expected: string, fallback: string]

/** The content of docs/configuration.md. */
export function configurationPage(): string {
  const groups = Map.groupBy(Object.entries(VARIABLES), ([name]) => GROUPS.find(([, names]) => names.test(name))?.[0])
  const sections = GROUPS.flatMap(([title]) => {
    const rows = groups.get(title)?.map(([name, { description, expected, default: fallback, isSecret }]): Row => {
      return [`\`${name}\``, isSecret ? `${description}. **Secret**` : description, expected, formatDefault(fallback)]
    })
    return rows ? [`## ${title}\n\n${table([['variable', 'description', 'accepted values', 'default'], ...rows])}`] : []
  })
  return [INTRODUCTION, ...sections].join('\n')
}

/** A default as it is written in the environment. */
function formatDefault(value: unknown): string {
  if (value === null) return '–'
  const text = value instanceof Object && Symbol.iterator in value ? [...(value as Iterable<unknown>)].join(',') : value
  return text === '' ? '–' : `\`${text}\``
}

/** A Markdown table with aligned columns, as the formatter requires. */
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
