import assert from 'node:assert/strict'
import { after } from 'node:test'
import pg from 'pg'
import { type OidcPerson, type OidcSandbox, startOidc } from '../../sandbox/oidc.ts'
import { newId } from '../../src/shared/ids.ts'
import type { Answer } from './client.ts'
import { cloneDatabase } from './databases.ts'
import { type TestService, testService } from './service.ts'

const CALLBACK = 'https://bellwether.example/sign-in/callback'
const EVERYONE = { allowed_domains: ['team.example'], default: { role: 'member' } }

let people = 0
/** A person with a verified address of team.example and the group sales. */
export function person(fields: Partial<OidcPerson> = {}): OidcPerson {
  const sub = `person-${++people}`
  const email = `${sub}@team.example`
  return { sub, name: 'Dana Whitfield', email, email_verified: true, groups: ['sales'], ...fields }
}

export const cookieOf = ({ headers }: Answer) => headers.get('set-cookie')?.split(';', 1)[0] ?? ''

/**
 * A service with sign-in providers at two issuers: `sandbox` maps groups to roles and two workspaces, `open` and `mixed` also
 * accept people without one, and `other` is another issuer.
 */
export async function startProviders() {
  const issuer = () => startOidc({ redirectUris: [CALLBACK] })
  const [oidc, other] = await Promise.all([issuer(), issuer()])
  after(() => Promise.all([oidc, other].map((sandbox) => sandbox[Symbol.asyncDispose]())))
  const databaseUrl = await cloneDatabase()
  const secondWorkspace = newId()
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query('insert into workspaces (id, name) values ($1, $2)', [secondWorkspace, 'Second'])
  await client.end()

  const at = ({ issuer, client }: OidcSandbox) => ({ issuer, client_id: client.id, client_secret: client.secret })
  const providers = [
    {
      ...at(oidc),
      id: 'sandbox',
      name: 'Sandbox',
      allowed_domains: ['team.example'],
      groups: [
        { group: 'admins', role: 'admin' },
        { group: 'sales', role: 'member', visibility: 'scoped' },
        { group: 'second', role: 'member', workspace: secondWorkspace },
      ],
    },
    { ...at(oidc), ...EVERYONE, id: 'open', name: 'Sandbox', trust_email: true },
    { ...at(oidc), ...EVERYONE, id: 'mixed', name: 'Sandbox', groups: [{ group: 'admins', role: 'admin' }] },
    { ...at(other), ...EVERYONE, id: 'other', name: 'Other' },
    { ...at(oidc), id: 'private', name: 'Sandbox', issuer: 'http://127.0.0.1:9', groups: [{ group: 'sales' }] },
  ]
  /** Another process of the service, which has loaded nothing from the providers. */
  const start = (configured: { id: string }[]) =>
    testService({
      databaseUrl,
      env: {
        PUBLIC_URL: 'https://bellwether.example',
        OUTBOUND_ALLOW: `${oidc.host},${other.host}`,
        OIDC_PROVIDERS: JSON.stringify(configured),
      },
    })
  const service = await start(providers)
  const anonymous = service.as(null)

  /** Starts a sign-in and follows it to the provider: returns the query with which the provider redirects back. */
  async function visitProvider(id = 'sandbox') {
    const started = await anonymous.post('/v1/sign-in-requests', { provider: id })
    assert.equal(started.status, 201, started.text)
    const answer = await fetch(started.data.authorization_url, { redirect: 'manual' })
    const back = new URL(answer.headers.get('location') ?? '')
    assert.equal(back.origin + back.pathname, CALLBACK)
    return { callback: back.search, cookie: cookieOf(started), authorization: new URL(started.data.authorization_url) }
  }

  const finish = (callback: string, cookie: string) =>
    anonymous.post('/v1/sessions', { callback }, { headers: cookie ? { cookie } : {} })

  async function signInAs(who: OidcPerson, id?: string) {
    for (const sandbox of [oidc, other]) sandbox.signInAs(who)
    const { callback, cookie } = await visitProvider(id)
    return finish(callback, cookie)
  }

  /** A signed-in browser. */
  async function enter(who: OidcPerson, id?: string) {
    const answer = await signInAs(who, id)
    assert.equal(answer.status, 201, answer.text)
    return browserOf(answer)
  }

  function browserOf(answer: Answer) {
    const headers = { cookie: cookieOf(answer), 'sec-fetch-site': 'same-origin' }
    const send = (method: string, path: string, at: TestService = service) =>
      at.as(null).send(method, path, undefined, { headers })
    return { session: answer.data, send, me: (at?: TestService) => send('GET', '/v1/me', at) }
  }

  /** Makes the check of a session due, as when its access token has expired. */
  async function expireAccess(session: { id: string }, unconfirmed = '0 hours') {
    const text = 'update sessions set refresh_at = now(), confirmed_at = now() - $2::interval where id = $1'
    await service.deps.pool.query(text, [session.id, unconfirmed])
    service.deps.keys.forget()
  }

  const members = (email: string) =>
    service.deps.db.selectFrom('members').selectAll().where('email', '=', email).orderBy('created_at').execute()

  /** The entries of the audit log about a member or by them, oldest first: actor, action, outcome. */
  async function entries(memberId: string): Promise<string[]> {
    const rows = await service.deps.db
      .selectFrom('audit_entries')
      .select(['actor', 'action', 'outcome'])
      .where((eb) => eb.or([eb('member_id', '=', memberId), eb('target_id', '=', memberId)]))
      .orderBy('workspace_id')
      .orderBy('seq')
      .execute()
    return rows.map(({ actor, action, outcome }) => `${actor} ${action} ${outcome}`)
  }

  const setUp = { oidc, other, service, anonymous, secondWorkspace, providers, start }
  return { ...setUp, visitProvider, finish, signInAs, enter, browserOf, expireAccess, members, entries }
}
