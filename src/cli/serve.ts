import { type Command, Option } from 'commander'
import { loadConfig } from '../config.ts'
import { createLogger } from '../log.ts'
import { openDatabase, type Roles, startService } from '../main.ts'

/** A stop that hangs must not keep the process for ever. */
const STOP_GRACE_MS = 15_000

export function serveCommand(program: Command): void {
  program
    .command('serve')
    .description('Run the service: API, console and worker in one process')
    .addOption(
      new Option('--only <part>', 'run one part, for several processes on one DATABASE_URL').choices(['api', 'worker']),
    )
    .action(async ({ only }: { only?: 'api' | 'worker' }) => serve({ api: only !== 'worker', worker: only !== 'api' }))

  program
    .command('migrate')
    .description('Bring the database schema up to date and exit')
    .action(async () => {
      const config = loadConfig()
      await using _database = await openDatabase(config, createLogger(config), { share: true })
      process.stdout.write('The database schema is up to date.\n')
    })
}

async function serve(roles: Roles): Promise<void> {
  const config = loadConfig()
  const log = createLogger(config)
  const stop = Promise.withResolvers<NodeJS.Signals>()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      stop.resolve(signal)
      // A second one means: now.
      process.once(signal, () => process.exit(130))
    })
  }

  const service = await startService({ config, log, roles })
  const base = config.PUBLIC_URL ?? service.address
  if (service.firstKey) process.stdout.write(welcome(base, config.BELLWETHER_API_KEY ? null : service.firstKey))
  log.info(
    { address: service.address, roles },
    base ? `Bellwether is ready at ${base} (API reference: ${base}/docs)` : 'worker is ready',
  )

  const signal = await stop.promise
  log.info({ signal }, 'stopping: running requests and jobs may finish')
  setTimeout(
    () => {
      log.error('stopping took too long')
      process.exit(1)
    },
    config.SHUTDOWN_TIMEOUT_SECONDS * 1000 + STOP_GRACE_MS,
  ).unref()
  await service[Symbol.asyncDispose]()
  log.info('stopped')
}

/** Printed once, at the start that sets the database up. The key is kept nowhere in readable form. */
function welcome(base: string | null, key: string | null): string {
  const shown = key ?? 'the one in BELLWETHER_API_KEY'
  const link = base ? `\n  Open      ${base}/docs${key ? `#key=${key}` : ''}` : ''
  return `\nBellwether is set up. This is shown once.\n  API key   ${shown}${link}\n\n`
}
