import { resolve } from 'node:path'
import {
  connectTo,
  domain,
  EMAIL_ADDRESS,
  hostNames,
  hostPorts,
  httpUrl,
  integer,
  oneOf,
  Refused,
  secretsKey,
  text,
  type ValuesOf,
  variable,
  yesOrNo,
} from './config-values.ts'
import { SetupError } from './errors.ts'
import { CRM_VARIABLES } from './providers/crm/registry.ts'

/** Every environment variable the service reads. `npm run docs` writes docs/configuration.md from it. */
export const VARIABLES = {
  PORT: variable('Port to listen on; 0 takes a free one', 'a port from 0 to 65535', 3000, integer(0, 65_535)),
  HOST: variable('Address to listen on', 'a host name or address', '127.0.0.1', text(/^[\w.:-]+$/)),
  PUBLIC_URL: variable(
    'Address under which people reach the service: for links, and the name it is called by (see ALLOWED_HOSTS)',
    'an http or https URL',
    null as string | null,
    httpUrl,
  ),
  ALLOWED_HOSTS: variable(
    'Further host names under which it is called; others are refused once these or PUBLIC_URL are set, but for addresses and localhost',
    'host names separated by commas',
    new Set<string>() as ReadonlySet<string>,
    hostNames,
  ),
  MAX_CONNECTIONS: variable(
    'Connections that may be open at once',
    'a number from 10 to 1000000',
    2000,
    integer(10, 1_000_000),
  ),
  MAX_CONNECTIONS_PER_ADDRESS: variable(
    'Those of one address; not counted behind a proxy (TRUST_PROXY)',
    'a number from 1 to 1000000',
    200,
    integer(1, 1_000_000),
  ),
  SLOW_CLIENT_SECONDS: variable(
    'How long a client may take over its headers, and hold up a body or an answer below 4 KB a second',
    'a number from 1 to 600',
    30,
    integer(1, 600),
  ),
  METRICS_TOKEN: variable(
    'Bearer token that /metrics asks for; unset, it is answered to this machine alone',
    '16 to 200 characters without blanks',
    null as string | null,
    text(/^[\x21-\x7e]{16,200}$/),
  ),
  DATABASE_URL: variable(
    'PostgreSQL 15 or later; unset, the service runs its own',
    'a postgres:// URL',
    null as string | null,
    // Not by URL: a socket's address has no host part.
    text(/^postgres(ql)?:\/\/\S+$/),
  ),
  DATABASE_POOL_SIZE: variable(
    'Database connections of one process, beside up to 4 of its job queue',
    'a number from 3 to 200',
    10,
    integer(3, 200),
  ),
  DATABASE_TIMEOUT_SECONDS: variable(
    'How long a query of a request may take; its connection is then given up',
    'a number from 1 to 600',
    10,
    integer(1, 600),
  ),
  DATABASE_JOB_TIMEOUT_SECONDS: variable(
    'The same for a query of a job or an import, and for PostgreSQL itself (statement_timeout)',
    'a number from 1 to 3600',
    60,
    integer(1, 3_600),
  ),
  DATABASE_PREPARE: variable(
    'Prepare statements; false behind a pooler that does not carry them',
    'true or false',
    true,
    yesOrNo,
  ),
  DATABASE_ENGINE: variable(
    'Engine behind DATABASE_URL, for the job queue',
    'one of postgres, citus, yugabytedb, cockroachdb',
    'postgres' as const,
    oneOf('postgres', 'citus', 'yugabytedb', 'cockroachdb'),
  ),
  DATA_DIR: variable(
    'Folder of the embedded database and of generated secrets',
    'a folder path',
    'data',
    text(/^[^\0]+$/),
  ),
  LOG_LEVEL: variable(
    'How much is logged',
    'one of trace, debug, info, warn, error, fatal, silent',
    'info' as const,
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  ),
  LOG_FORMAT: variable(
    'Shape of the log; auto is pretty on a terminal and json elsewhere',
    'one of auto, json, pretty',
    'auto' as const,
    oneOf('auto', 'json', 'pretty'),
  ),
  RATE_LIMIT_PER_MINUTE: variable(
    'Requests a minute for each API key and process',
    'a number from 1 to 10000000',
    6000,
    integer(1, 10_000_000),
  ),
  TRUST_PROXY: variable(
    'Take the caller’s address from X-Forwarded-For of this many proxies in front',
    'a number from 0 to 10',
    0,
    integer(0, 10),
  ),
  MCP_ENABLED: variable('Whether agents are served at /mcp', 'true or false', true, yesOrNo),
  MCP_LISTEN_SECONDS: variable(
    'How long an agent may listen for updates before it has to ask again',
    'a number from 1 to 86400',
    1800,
    integer(1, 86_400),
  ),
  SESSION_DAYS: variable(
    'Days without use after which a browser has to sign in again; after a year it has to in any case',
    'a number from 1 to 365',
    30,
    integer(1, 365),
  ),
  BELLWETHER_API_KEY: variable(
    'The first API key, used when the database is set up',
    '8 to 200 letters, digits, dots, dashes or underscores',
    null as string | null,
    text(/^[\w.-]{8,200}$/),
  ),
  WORKSPACE_DOMAIN: variable(
    'Domain of your own company, used when the database is set up: its site fills the knowledge base',
    'a domain such as northwind.com',
    null as string | null,
    domain,
  ),
  SECRETS_KEY: variable(
    'Key that encrypts stored secrets; unset, one is generated under DATA_DIR',
    '32 bytes as 64 hex digits or base64',
    null as Buffer | null,
    secretsKey,
  ),
  OUTBOUND_ALLOW: variable(
    'Exact host:port pairs that may be called although private or not https',
    'host:port pairs separated by commas',
    new Set<string>() as ReadonlySet<string>,
    hostPorts,
  ),
  OUTBOUND_CONNECT_TO: variable(
    'Where to connect instead, as host:port=host:port; *:443=… stands for all other hosts',
    'host:port=host:port pairs separated by commas',
    new Map<string, string>() as ReadonlyMap<string, string>,
    connectTo,
  ),
  OUTBOUND_CA: variable(
    'File with certificate authorities to trust beside the usual ones',
    'the path of a PEM file',
    null as string | null,
    text(/^[^\0]+$/),
  ),
  OUTBOUND_CONTACT: variable(
    'Address or URL in the User-Agent, where site owners can reach you; SEC EDGAR is read only with an email address here',
    'an email address or a URL',
    null as string | null,
    text(/^[\x21-\x7e]{3,200}$/),
  ),
  PUSH_CONCURRENCY: variable('Webhook rows one worker sends at once', 'a number from 1 to 500', 32, integer(1, 500)),
  PUSH_RETRY_SECONDS: variable(
    'Pauses before each further attempt of a webhook row or an alert',
    'numbers of seconds separated by commas',
    [2, 10, 30, 60, 120] as readonly number[],
    (value) => value.split(',').map((part) => integer(0, 86_400)(part.trim())),
  ),
  PUSH_INLINE_SECONDS: variable(
    'How long a push of up to 100 records is worked on while its caller waits; the rest goes on in the background',
    'a number from 1 to 600',
    18,
    integer(1, 600),
  ),
  ALERT_DELAY_SECONDS: variable(
    'How long an alert waits for what else its run finds on the account',
    'a number from 0 to 3600',
    5,
    integer(0, 3600),
  ),
  SOURCES: variable(
    'Sources that research reads; add gdelt to also ask GDELT',
    'names out of website, job-boards, sec, hacker-news, wikidata, gdelt, separated by commas',
    new Set(['website', 'job-boards', 'sec', 'hacker-news', 'wikidata']) as ReadonlySet<string>,
    (value) =>
      new Set(
        value
          .split(',')
          .map((part) => oneOf('website', 'job-boards', 'sec', 'hacker-news', 'wikidata', 'gdelt')(part.trim())),
      ),
  ),
  CRAWL_DELAY_MS: variable(
    'Least pause between two requests to one web site',
    'a number from 0 to 60000',
    500,
    integer(0, 60_000),
  ),
  CRAWL_MAX_PAGES: variable('Pages of one web site a scan reads', 'a number from 1 to 200', 25, integer(1, 200)),
  SCAN_WINDOW_DAYS: variable('Events older than this do not count', 'a number from 1 to 3650', 90, integer(1, 3650)),
  DOCUMENT_RETENTION_DAYS: variable(
    'How long what was read is kept',
    'a number from 1 to 36500',
    400,
    integer(1, 36_500),
  ),
  RESCAN_DAYS: variable(
    'Days after which an active account is scanned anew, with all sources',
    'a number from 1 to 3650',
    7,
    integer(1, 3650),
  ),
  MONITOR_INTERVAL_MINUTES: variable(
    'How often each active account is looked at',
    'a number from 1 to 100000',
    1440,
    integer(1, 100_000),
  ),
  MONITOR_CONCURRENCY: variable(
    'Accounts one worker looks at at once',
    'a number from 1 to 1000',
    32,
    integer(1, 1_000),
  ),
  MONITOR_EVENTS_DAYS: variable(
    'How long looks that found nothing new are kept',
    'a number from 1 to 36500',
    90,
    integer(1, 36_500),
  ),
  DISCOVERY_MAX_CANDIDATES: variable(
    'Companies a discovery run looks into at most',
    'a number from 1 to 100000',
    200,
    integer(1, 100_000),
  ),
  DISCOVERY_CONCURRENCY: variable(
    'Companies a discovery run looks into at once',
    'a number from 1 to 100',
    8,
    integer(1, 100),
  ),
  LLM_BASE_URL: variable(
    'OpenAI-compatible server that words the drafts, such as https://api.example.com/v1; unset, the service words them itself',
    'an http or https URL',
    null as string | null,
    httpUrl,
  ),
  LLM_MODEL: variable('Model to ask there', 'the name of a model', null as string | null, text(/^\S{1,200}$/)),
  LLM_API_KEY: variable('Key for it', 'a key without blanks', null as string | null, text(/^[\x21-\x7e]{1,500}$/)),
  ...CRM_VARIABLES,
  PDL_API_KEY: variable(
    'Key of People Data Labs, for rosters and phone numbers; unset, it is not asked',
    'a key without blanks',
    null as string | null,
    text(/^[\x21-\x7e]{1,500}$/),
  ),
  PDL_MAX_PEOPLE: variable(
    'People of one company asked of People Data Labs, which charges for each',
    'a number from 1 to 10000',
    100,
    integer(1, 10_000),
  ),
  PDL_REQUESTS_PER_MINUTE: variable(
    'Searches a minute your plan with People Data Labs allows',
    'a number from 1 to 100000',
    10,
    integer(1, 100_000),
  ),
  ZEROBOUNCE_API_KEY: variable(
    'Key of ZeroBounce, which checks addresses that our own check cannot decide; unset, it is not asked',
    'a key without blanks',
    null as string | null,
    text(/^[\x21-\x7e]{1,500}$/),
  ),
  EMAIL_VERIFY_FROM: variable(
    'Your address, named as sender when a mail server is asked whether a mailbox exists; unset, none is asked unless a workspace sets its own (PUT /integrations/email-verification)',
    'an email address',
    null as string | null,
    text(EMAIL_ADDRESS),
  ),
  EMAIL_VERIFY_SECONDS: variable(
    'Time for checking one person’s address, waiting for greylisting included',
    'a number from 1 to 600',
    60,
    integer(1, 600),
  ),
  EMAIL_GREYLIST_SECONDS: variable(
    'Pauses before a mail server that asked to come back later is asked again',
    'numbers of seconds separated by commas',
    [15, 30] as readonly number[],
    (value) => value.split(',').map((part) => integer(0, 600)(part.trim())),
  ),
  EMAIL_DELAY_MS: variable(
    'Least pause between two conversations with the mail server of one domain',
    'a number from 0 to 60000',
    1000,
    integer(0, 60_000),
  ),
  EMAIL_RECHECK_DAYS: variable(
    'After how many days a person without an email or phone is looked up again',
    'a number from 0 to 3650',
    30,
    integer(0, 3650),
  ),
  DNS_SERVER: variable(
    'Name server asked for mail servers instead of the system’s: development and tests',
    'an address, or address:port',
    null as string | null,
    text(/^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]+\])(:\d{1,5})?$/),
  ),
  ROSTER_MAX_AGE_DAYS: variable(
    'Find People loads a roster again when it is older than this',
    'a number from 0 to 3650',
    7,
    integer(0, 3650),
  ),
  FIND_BUDGET_SECONDS: variable(
    'Time for one Find People call, after which it answers with what it has',
    'a number from 1 to 600',
    110,
    integer(1, 600),
  ),
  FIND_CONCURRENCY: variable(
    'Accounts one Find People call works on at once',
    'a number from 1 to 50',
    20,
    integer(1, 50),
  ),
  READING_THREADS: variable(
    'Threads of one process that read pages, feeds and other documents',
    'a number from 1 to 64',
    2,
    integer(1, 64),
  ),
  READING_TIMEOUT_MS: variable(
    'How long one document may be worked on, in milliseconds; one that takes longer counts as failed',
    'a number from 1 to 600000',
    5_000,
    integer(1, 600_000),
  ),
  READER_THREADS: variable(
    'Cores that judging texts may use at once in one process',
    'a number from 1 to 64',
    2,
    integer(1, 64),
  ),
  WORKER_CONCURRENCY: variable('Jobs of one kind a process runs at once', 'a number from 1 to 100', 4, integer(1, 100)),
  WORKER_LOST_SECONDS: variable(
    'How long a worker may give no sign before its jobs go to others',
    'a number from 10 to 600',
    20,
    integer(10, 600),
  ),
  WORKER_HEALTH: variable(
    'Let a process with --only worker answer /healthz, /readyz and /metrics on HOST and PORT; otherwise it does not listen',
    'true or false',
    false,
    yesOrNo,
  ),
  SHUTDOWN_TIMEOUT_SECONDS: variable(
    'How long running requests and jobs may finish after SIGTERM',
    'a number from 1 to 600',
    30,
    integer(1, 600),
  ),
} as const

export type Config = ValuesOf<typeof VARIABLES>

/** Reads the configuration from an environment. Throws SetupError with one line for each variable that is wrong. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const wrong: string[] = []
  const values = Object.entries(VARIABLES).map(([name, { read, takes, default: fallback }]) => {
    const given = env[name]
    if (given === undefined || given === '') return [name, fallback]
    try {
      return [name, read(given)]
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      wrong.push(`${name} must be ${takes}.`)
      return [name, fallback]
    }
  })
  if (wrong.length > 0) throw new SetupError(wrong.join('\n'))
  const read = Object.fromEntries(values) as Config
  return Object.freeze({ ...read, DATA_DIR: resolve(read.DATA_DIR) })
}
