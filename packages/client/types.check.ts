// Calls that the types must reject: `tsc` fails if one of them compiles.
import { ApiError, Bellwether, type Schemas } from './src/index.ts'

const bellwether = new Bellwether({ url: 'http://127.0.0.1:3000', key: 'bw_…' })
const id = '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87'

declare function takesText(text: string): void

export async function wrong(): Promise<void> {
  // @ts-expect-error there is no such path
  await bellwether.get('/v1/acounts')
  // @ts-expect-error the path does not support the method
  await bellwether.delete('/v1/accounts')
  // @ts-expect-error a placeholder is missing
  await bellwether.get('/v1/accounts/{id}')
  // @ts-expect-error the parameter has another name
  await bellwether.get('/v1/accounts/{id}', { path: { account_id: id } })
  // @ts-expect-error there is no such status
  await bellwether.get('/v1/accounts', { query: { status: 'sleeping' } })
  // @ts-expect-error the body is missing
  await bellwether.post('/v1/people/find')
  // @ts-expect-error a field of the body is missing
  await bellwether.post('/v1/knowledge-base', { body: { title: 'What we sell' } })
  // @ts-expect-error a field of the body has another type
  await bellwether.post('/v1/people/find', { body: { query: 7, account_ids: [id] } })
  // @ts-expect-error it takes no body
  await bellwether.post('/v1/accounts/{id}/scan', { path: { id }, body: {} })
  // @ts-expect-error a record has no such field
  ;(await bellwether.get('/v1/accounts/{id}', { path: { id } })).nickname
  // @ts-expect-error not a list
  bellwether.items('/v1/me')
  // @ts-expect-error a field may be null
  for await (const { title } of bellwether.items('/v1/people')) takesText(title)
  const page = await bellwether.get('/v1/accounts')
  // @ts-expect-error the list is under `data`
  takesText(page[0])
  // @ts-expect-error there is no such code
  ApiError.is(new Error(), 'acount_active')
  // @ts-expect-error a run is not `finished`, it is `done`
  ;(await bellwether.waitForRun(id)).status === 'finished'
}

export async function right(): Promise<[Schemas['Account'], Schemas['Person'][], 'domain_taken' | null]> {
  const account = await bellwether.get('/v1/accounts/{id}', { path: { id } })
  const people: Schemas['Person'][] = []
  for await (const person of bellwether.items('/v1/people', { query: { account_id: id } })) people.push(person)
  const error: unknown = new ApiError(409, {})
  return [account, people, ApiError.is(error, 'domain_taken') ? error.code : null]
}
