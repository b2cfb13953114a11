import { type Command, Option } from 'commander'
import { createLogger } from '../app/log.ts'
import { openDatabase } from '../app/open-database.ts'
import { type Roles, type Service, startService } from '../app/service.ts'
import { type Config, loadConfig } from '../config/config.ts'
import { edgarDisabledReason } from '../providers/filings/edgar.ts'
import { verificationProblem } from '../resources/integrations/email-verification.ts'
import { listMembers } from '../resources/members/store.ts'
import { createSignInLink } from '../resources/sessions/link.ts'
import { findInstallation } from '../resources/workspaces/store.ts'

/** Grace period after which a shutdown that hangs is ended. */
const STOP_GRACE_MS = 15_000
/** A second Ctrl-C after this time ends the process at once. */
const REPEAT_MS = 1_000

export function serveCommand(program: Command): void {
  program
    .command('serve')
    .addOption(
      new Option('--only <part>', 'run only this part, when several processes share one DATABASE_URL').choices([
        'api',
        'worker',
      ]),
    )
    .action(async ({ only }: { only?: 'api' | 'worker' }) => serve({ api: only !== 'worker', worker: only !== 'api' }))

  program
    .command('migrate')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const config = loadConfig()
      await using _database = await openDatabase(config, createLogger(config, 2), { share: true })
      process.stdout.write(json ? '{"migrated":true}\n' : 'The database schema is up to date.\n')
    })
}

async function serve(roles: Roles): Promise<void> {
  const config = loadConfig()
  const log = createLogger(config)
  const stop = Promise.withResolvers<NodeJS.Signals>()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    let first = 0
    process.on(signal, () => {
      // npm forwards a signal that the terminal has already sent, so two in quick succession count as one.
      if (first > 0 && performance.now() - first > REPEAT_MS) process.exit(130)
      first ||= performance.now()
      stop.resolve(signal)
    })
  }

  const service = await startService({
    config,
    log,
    roles,
    // Printed at once, so that the key is not lost if the start fails later.
    onFirstKey: (key) => process.stdout.write(welcome(config.BELLWETHER_API_KEY ? null : key, hintsOf(config))),
  })
  // A worker serves no requests, even if PUBLIC_URL is set.
  const base = service.address && (config.PUBLIC_URL ?? service.address)
  if (base) process.stdout.write(await firstLinks(service, base))
  log.info(
    { address: service.address, roles },
    base ? `Bellwether is ready at ${base} (API reference: ${base}/docs)` : 'worker is ready',
  )

  const signal = await stop.promise
  log.info({ signal }, 'stopping: running requests and jobs may finish')
  setTimeout(
    () => {
      log.error('shutdown timed out')
      process.exit(1)
    },
    config.SHUTDOWN_TIMEOUT_SECONDS * 1000 + STOP_GRACE_MS,
  ).unref()
  await service[Symbol.asyncDispose]()
  log.info('stopped')
}

/** Printed once, by the start that sets up the database. The key is stored only as a hash. */
function welcome(key: string | null, hints: readonly string[]): string {
  const shown = `\nBellwether is set up. This is shown once.\n  API key   ${key ?? 'the one in BELLWETHER_API_KEY'}\n`
  return shown + hints.map((hint) => `  To do     ${hint}\n`).join('')
}

/**
 * Links to the console and the API reference, at each start until a browser has signed in. A key that the operator has set is
 * not printed.
 */
async function firstLinks({ deps, firstKey }: Service, base: string): Promise<string> {
  const { db, config, keys } = deps
  const installation = await findInstallation(db)
  if (!installation || installation.signed_in_at !== null) return ''
  const reference = `  API       ${base}/docs\n\n`
  const heading = firstKey ? '' : '\nBellwether is running, and no browser has signed in yet.\n'
  if (config.BELLWETHER_API_KEY) {
    const which = firstKey ? 'that key' : 'the key in BELLWETHER_API_KEY'
    return `${heading}  Open      ${base}/sign-in (with ${which})\n${reference}`
  }
  const owner = firstKey ? await keys.authenticate({ kind: 'key', secret: firstKey }) : null
  const { workspace_id } = installation
  const admin = owner ?? (await listMembers(db, workspace_id)).find(({ role }) => role === 'admin')
  if (!admin) return reference
  const { url } = await createSignInLink(deps, workspace_id, base, {
    member_id: admin.id,
    key_id: owner?.key_id ?? null,
  })
  return `${heading}  Open      ${url}\n            (signs you in, once, within 15 minutes; later: npx bellwether sign-in)\n${reference}`
}

/** Features that need configuration before they work. GET /v1/integrations reports the same at any time. */
function hintsOf(config: Config): string[] {
  return [verificationProblem(config), edgarDisabledReason(config)].filter((hint) => hint !== null)
}
