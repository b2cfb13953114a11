import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VARIABLES } from '../src/config/variables.ts'
import type { AlertContent, TestAlert } from '../src/delivery/alerts/schema.ts'
import { SetupError } from '../src/shared/errors.ts'
import { startService } from './demo/service.ts'
import { ALERTS, takeTour } from './demo/tour.ts'
import type { Delivery } from './receiver.ts'
import { type Sandbox, startSandbox } from './start.ts'

/** `npm run demo`: runs the service against the sandbox, with a tour of its features, until Ctrl-C. */
async function demo(): Promise<void> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())
  const stopped = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()))

  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-demo-'))
  // The embedded database may run as another user.
  chmodSync(folder, 0o755)
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const port = process.env.PORT ?? '3000'
  const { host, control, receiver } = placesFor(Number(port))
  const sandbox = stack.use(
    await startSandbox({ keep: false, control, receiver: { ...receiver, onDelivery: showDelivery } }),
  )
  const key = `demo-${randomBytes(9).toString('hex')}`
  const address = `http://127.0.0.1:${port}`
  say(`An invented internet with ${sandbox.world.companies.length} companies is up. Starting the service against it.`)
  const service = stack.use(
    await startService(
      {
        ...surroundings(),
        ...sandbox.env,
        PORT: port,
        HOST: host,
        PUBLIC_URL: address,
        DATA_DIR: folder,
        BELLWETHER_API_KEY: key,
        LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
        CRAWL_DELAY_MS: '20',
        // So that publications of the time machine are found within a minute.
        MONITOR_INTERVAL_MINUTES: '1',
      },
      address,
      key,
    ),
  )
  const ended = service.ended.then(() => stop.abort(new Error('The service has ended.')))
  try {
    const account = await takeTour({ service, sandbox, folder, say, signal: stop.signal })
    // Created last, because it expires soon.
    const { data: link } = await service.call('POST', '/sign-in-links')
    say(whatToLookAt(link.url, address, key, sandbox, account?.id ?? '<an account>'))
    await stopped
  } catch (error) {
    // Ctrl-C during the tour is not a failure.
    if (!stop.signal.aborted) throw error
  }
  say('Stopping.')
  await service[Symbol.asyncDispose]()
  await ended
}

/**
 * The listening addresses: loopback, or, with DEMO_HOST, fixed ports that a container can publish. The printed URLs use
 * 127.0.0.1 in both cases, which is where the ports are published.
 */
function placesFor(port: number) {
  const host = process.env.DEMO_HOST
  if (!host) return { host: '127.0.0.1', control: {}, receiver: {} }
  return { host, control: { host, port: port + 1 }, receiver: { listens: host, port: port + 2 } }
}

/** The environment without the service's settings: the demo must never touch a database that is in use. */
function surroundings(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !Object.hasOwn(VARIABLES, name)))
}

function whatToLookAt(
  link: string,
  address: string,
  key: string,
  { control, receiver }: Sandbox,
  account: string,
): string {
  return `
What to look at
  The console, by a sign-in link (once, within 15 minutes; then ${address}/sign-in with the key below):
  ${link}

  API reference, with the key filled in: ${address}/docs#key=${key}

  export KEY=${key} API=${address}/v1
  curl -s $API/accounts -H "Authorization: Bearer $KEY"
  curl -s $API/accounts/${account}/signals -H "Authorization: Bearer $KEY"
  curl -s $API/runs -H "Authorization: Bearer $KEY"

  export BELLWETHER_URL=${address} BELLWETHER_KEY=${key}
  npx bellwether accounts list
  npx bellwether accounts show halden-robotics.example
  npx bellwether people find "VP of Sales" --account halden-robotics.example

  For an assistant: ${address}/mcp, with the key as bearer token (docs/mcp.md)

Let a company publish something, and watch the monitor find it within a minute or two:
  curl -s ${control.url}/publish -d '{"domain": "halden-robotics.example", "title": "Halden Robotics names Astrid Moen Chief Operating Officer", "text": "OSLO, {date} – Halden Robotics has appointed Astrid Moen as Chief Operating Officer. She joins from a maker of ferries and starts today."}'
  curl -s $API/accounts/${account}/monitor-events -H "Authorization: Bearer $KEY"        what the monitor saw then
  curl -s ${control.url}/        what else the time machine can do
  ${receiver.url}/…        takes webhooks and Teams messages on any path, so it can be any destination
  curl -s ${receiver.url}/_control        what the receiver got, with headers
  ${control.url}/mail        mail that the service sent

Alerts appear here as they arrive. Ctrl-C stops everything.
`
}

/** A line or more for an alert, and the beginning of any other delivery; the receiver has the full body. */
function showDelivery({ path, body }: Delivery): void {
  const lines = path === ALERTS ? alertLines(JSON.parse(body) as AlertContent | TestAlert) : null
  const [first, ...rest] = lines ?? []
  say(first ? `  ALERT ${first}` : `  DELIVERY at ${path}: ${body.slice(0, 200)}`)
  for (const line of rest) say(`        ${line}`)
}

/** Null for a body that is no alert, because any destination may have the URL of the alerts. */
function alertLines({ type, data }: AlertContent | TestAlert): string[] | null {
  switch (type) {
    case 'test':
      return [`${type}: ${data.message}`]
    case 'account.suggested':
      return [`${type}: ${data.accounts.map(({ name }) => name).join(', ')}`]
    case 'people.job_changed':
      return [`${type}: ${data.account.name}`, ...data.moves.map(({ text }) => text)]
    case 'signal.detected':
      return [
        `${type}: ${data.account.name}`,
        ...data.detections.map(({ signal_id, headline }) => `${signal_id}: ${headline ?? ''}`),
      ]
    case 'work_item.done':
      return [`${type}: ${data.account.name}`]
    default:
      return null
  }
}

function say(line = ''): void {
  process.stdout.write(`${line}\n`)
}

try {
  await demo()
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
