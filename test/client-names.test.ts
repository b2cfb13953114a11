import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Bellwether } from '@bellwether/client'
import {
  hasAccountName,
  NameError,
  parseDomain,
  resolveAccountId,
  resolveAccountIds,
  resolveMemberId,
  resolvePushTarget,
} from '@bellwether/client/names'

type Route = (query: URLSearchParams) => object

/** A client with stubbed routes, and the paths that it has requested. */
function clientOf(routes: Record<string, Route>) {
  const requested: string[] = []
  const client = new Bellwether({
    url: 'http://service.example',
    retries: 0,
    async fetch(url) {
      const { pathname, search, searchParams } = new URL(url)
      requested.push(pathname + search)
      const route = routes[pathname]
      assert.ok(route, `unexpected request for ${pathname}`)
      return Response.json(route(searchParams))
    },
  })
  return { client, requested }
}

const uuid = (digit: number) => `00000000-0000-7000-8000-00000000000${digit}`
const account = (digit: number, name: string, domain: string | null = null) => ({ id: uuid(digit), name, domain })
const pagesOf = (...pages: object[][]): Route => {
  const total = pages.flat().length
  return (query) => {
    const page = Number(query.get('page'))
    const pagination = { page, per_page: 100, total, has_more: page < pages.length }
    return { data: pages[page - 1] ?? [], pagination }
  }
}
const problemOf = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => assert.fail('resolved'),
    (error: unknown) => error,
  )
  assert.ok(error instanceof NameError, String(error))
  return { message: error.message, ...error.problem }
}

test('an id is returned without a request, and duplicates are removed', async () => {
  const { client, requested } = clientOf({ '/v1/accounts': pagesOf([account(2, 'Acme', 'acme.com')]) })
  const given = [` ${uuid(1).toUpperCase()} `, uuid(1), 'https://www.Acme.com/about', 'ACME']
  assert.deepEqual(await resolveAccountIds(client, given), [uuid(1), uuid(2)])
  assert.equal(requested.length, 2)
})

test('a domain ends the search; a name is searched on all pages unless they are limited', async () => {
  const pages = pagesOf([account(1, 'Acme Rail', 'acme.com')], [account(2, 'acme')], [account(2, 'Acme')])
  const { client, requested } = clientOf({ '/v1/accounts': pages })
  assert.equal(await resolveAccountId(client, 'acme.com'), uuid(1))
  assert.equal(requested.length, 1)
  assert.equal(await resolveAccountId(client, 'Acme'), uuid(2), 'the same record on two pages is one record')
  const { reason, candidates, total } = await problemOf(resolveAccountId(client, 'Acme', { maxPages: 1 }))
  assert.deepEqual([reason, candidates.length, total], ['not_found', 1, 3])
})

test('the error lists the ids of an ambiguous name, and what is similar to an unknown one', async () => {
  const { client } = clientOf({
    '/v1/accounts': pagesOf([account(1, 'Twin'), account(2, 'twin'), account(3, 'Twins')]),
  })
  const twins = await problemOf(resolveAccountId(client, 'Twin'))
  assert.equal(twins.reason, 'ambiguous')
  assert.equal(twins.message, `2 accounts are called Twin. Use the id instead:\n  ${uuid(1)}\n  ${uuid(2)}`)
  const unknown = await problemOf(resolveAccountId(client, 'Tw'))
  assert.equal(unknown.message, 'No account is called Tw. Similar: Twin, twin, Twins.')
})

test('members are found by me, id, email and name; push targets by CRM, name and id', async () => {
  const members = [
    { id: uuid(1), name: 'Ada', email: 'ada@team.example' },
    { id: uuid(2), name: 'Ada', email: 'ada2@team.example' },
  ]
  const { client } = clientOf({
    '/v1/me': () => ({ data: { member: members[1] } }),
    '/v1/members': () => ({ data: members }),
    '/v1/connections/providers': () => ({
      data: [
        { provider: 'crm_one', label: 'HubSpot' },
        { provider: 'chat', label: 'Slack' },
      ],
    }),
    '/v1/webhook-destinations': () => ({ data: [{ id: uuid(3), name: 'Warehouse' }] }),
  })
  assert.equal(await resolveMemberId(client, 'ME'), uuid(2))
  assert.equal(await resolveMemberId(client, 'Ada@Team.example'), uuid(1))
  assert.equal(await resolveMemberId(client, uuid(2)), uuid(2))
  assert.equal((await problemOf(resolveMemberId(client, 'ada'))).reason, 'ambiguous')
  assert.deepEqual(await resolvePushTarget(client, 'CRM'), { name: 'CRM', provider: undefined })
  assert.deepEqual(await resolvePushTarget(client, 'hubspot'), { name: 'HubSpot', provider: 'crm_one' })
  const warehouse = { name: 'Warehouse', destination_id: uuid(3) }
  for (const given of ['warehouse ', uuid(3)]) assert.deepEqual(await resolvePushTarget(client, given), warehouse)
  const slack = await problemOf(resolvePushTarget(client, 'Slack'))
  assert.equal(slack.message, 'No destination or CRM is called Slack. There are: Warehouse, crm, HubSpot.')
})

test('domains are read from what people type', () => {
  assert.equal(parseDomain('https://www.Acme.com/about?x=1'), 'acme.com')
  for (const none of ['Acme', 'Acme Inc.', 'https://', '%zz.']) assert.equal(parseDomain(none), null, none)
  assert.ok(hasAccountName({ name: 'Acme', domain: 'acme.com' }, 'ACME.com'))
  assert.ok(hasAccountName({ name: 'Acme', domain: null }, 'acme '))
  assert.ok(!hasAccountName({ name: 'Acme', domain: null }, 'acme.com'))
})
