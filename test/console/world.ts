import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after } from 'node:test'
import { type OidcSandbox, startOidc } from '../../sandbox/oidc.ts'
import { type Sandbox, startSandbox } from '../../sandbox/start.ts'
import { type Options, type Visit, visit } from '../support/browser.ts'
import { launchBrowser } from '../support/chromium.ts'
import type { Answer } from '../support/client.ts'
import { ended } from '../support/eventually.ts'
import { ADMIN_KEY, type TestService, testService } from '../support/service.ts'

type World = {
  service: TestService
  sandbox: Sandbox
  /** The provider that people sign in with. */
  oidc: OidcSandbox
  /** Opens a page of the console, by default as admin. */
  open: (path: string, options?: Partial<Options>) => Promise<Visit>
}

/** The real service with a worker on the sandbox internet, and a browser. All console tests share them. */
async function start(): Promise<World> {
  const sandbox = await startSandbox({ slowMs: 50 })
  after(() => sandbox[Symbol.asyncDispose]())
  const person = { sub: 'dana', name: 'Dana Whitfield', email: 'dana@northwind.example', email_verified: true }
  const oidc = await startOidc({ people: [person] })
  after(() => oidc[Symbol.asyncDispose]())
  const provider = {
    id: 'sandbox',
    name: 'Northwind SSO',
    issuer: oidc.issuer,
    client_id: oidc.client.id,
    client_secret: oidc.client.secret,
    allowed_domains: ['northwind.example'],
    default: { role: 'member' },
  }
  const port = await findFreePort()
  const access = {
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    OUTBOUND_ALLOW: `${sandbox.env.OUTBOUND_ALLOW},${oidc.host}`,
    OIDC_PROVIDERS: JSON.stringify([provider]),
  }
  const env = { ...sandbox.env, ...access, SOURCES: 'website', EMAIL_VERIFY_SECONDS: '2', ALERT_DELAY_SECONDS: '0' }
  const service = await testService({ worker: true, env })
  oidc.register(`${service.address}/sign-in/callback`)
  const browser = await launchBrowser()
  after(() => browser.close())
  return {
    service,
    sandbox,
    oidc,
    open: (path, options = {}) => visit(browser, service, path, { key: ADMIN_KEY, ...options }),
  }
}

/** The provider returns to PUBLIC_URL, which is configured before the service listens. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

// At module level, because resources started inside a test end with it.
export const { service, sandbox, oidc, open } = await start()

const researched = new Map<string, Promise<Answer['data']>>()

/** A scanned active account of the admin's workspace, by its sandbox domain. Each domain is scanned once. */
export function scanned(domain: string): Promise<Answer['data']> {
  const known = researched.get(domain) ?? scan(domain)
  researched.set(domain, known)
  return known
}

async function scan(domain: string): Promise<Answer['data']> {
  const { admin } = service
  const account = await admin.expect(201, 'POST', '/v1/accounts', { name: sandbox.world.company(domain).name, domain })
  await admin.expect(200, 'POST', `/v1/accounts/${account.id}/activate`)
  const { run_id } = await admin.expect(202, 'POST', `/v1/accounts/${account.id}/scan`)
  await ended(admin, `/v1/runs/${run_id}`)
  return admin.expect(200, 'GET', `/v1/accounts/${account.id}`)
}
