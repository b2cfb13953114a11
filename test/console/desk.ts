import { rankWorkItem } from '../../src/resources/work-items/rank.ts'
import { addEvents } from '../../src/resources/work-items/rank-store.ts'
import { scene } from '../support/scene.ts'
import { service } from './world.ts'

const { db } = service.deps
const DAY_MS = 86_400_000
/** The time zone of the browser in tests. */
const ZONE = 'Europe/Berlin'
/** `YYYY-MM-DD` of the browser, some days from now. */
export const localDay = (days: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: ZONE }).format(new Date(Date.now() + days * DAY_MS))
/** `Thursday 19 November`. */
export const longDay = (day: string) =>
  new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(day),
  )

type Found = { headline: string; days: number; draft?: string; url?: string }
export type Plan = {
  name: string
  isMine?: boolean
  tags?: string[]
  status?: 'suggested'
  found: Found[]
  people?: { full_name: string; title: string; email?: string; phone?: string }[]
}

export const DRAFT = 'Hello,\n\nI read your news. It is about growth. Shall we talk?'

/** A workspace with accounts whose findings have opened work items, as a scan does. */
export async function desk(plans: readonly Plan[]) {
  const world = await scene(service, {
    accounts: plans.map(({ name, tags = [] }, at) => ({
      name,
      domain: `desk-${crypto.randomUUID()}-${at}.example`,
      tags,
    })),
  })
  const { client, ids, workspaceId, save } = world
  const me = (await client.expect(200, 'GET', '/v1/me')).member
  const find = async (at: number, found: readonly Found[]) => {
    const account_id = ids[at] as string
    const [person] = plans[at]?.people ?? []
    const given = person?.full_name.split(' ').find((word) => !word.endsWith('.'))
    const rows = found.map(({ headline, days, draft: text = DRAFT, url = 'https://news.example/a' }) => {
      const body = given ? text.replace(/^Hello/, `Hi ${given}`) : text
      const texts = {
        subject: `About ${headline}`,
        body,
        short_message: `In short: ${headline}`,
        call_opener: 'I call you.',
      }
      const to = person ? { full_name: person.full_name, title: person.title } : null
      return {
        ...{
          workspace_id: workspaceId,
          account_id,
          id: crypto.randomUUID(),
          signal_id: 'funding',
          signal_present: true,
        },
        ...{ alpha: 70, icp_fit: 50, confidence: 0.93, headline },
        detected_at: localDay(-days),
        drafted_message_md: `**Subject:** About ${headline}\n\n${body}`,
        draft: JSON.stringify({ to, message: texts, is_signed: false, note: null }),
        evidence: JSON.stringify([
          { claim: headline, quote: `They say: ${headline}.`, source_url: url, published_date: null },
        ]),
      }
    })
    await db.transaction().execute(async (db) => {
      await db.insertInto('signal_detections').values(rows).execute()
      await addEvents(
        db,
        workspaceId,
        account_id,
        rows.map(({ id }) => ({ id, kind: 'detection', same: [] })),
      )
      await rankWorkItem(db, workspaceId, account_id, { sections: [], today: new Date().toISOString().slice(0, 10) })
    })
  }
  for (const [at, { isMine, people = [], found, status = 'active' }] of plans.entries()) {
    const id = ids[at] as string
    // Not through the API, which would redraft the findings.
    const owner = isMine ? { owner_id: me.id } : {}
    await db
      .updateTable('accounts')
      .set({ status, ...owner })
      .where('id', '=', id)
      .execute()
    await save(people.map(({ full_name, title }) => ({ account_id: id, full_name, title })))
    for (const { full_name, email = null, phone = null } of people)
      await db
        .updateTable('people')
        .set({ email, phone })
        .where('account_id', '=', id)
        .where('full_name', '=', full_name)
        .execute()
    if (found.length > 0) await find(at, found)
  }
  const items = async (query = '') => (await client.get(`/v1/work-items${query}`)).data
  /** The item of an account in a state. */
  const itemOf = async (at: number, state: 'open' | 'snoozed' | 'done') =>
    (await items(`?view=all&state=${state}&account_id=${ids[at]}`))[0]
  const lines = async (at: number): Promise<string[]> =>
    (await client.get(`/v1/accounts/${ids[at]}/activities`)).data.map(({ kind }: { kind: string }) => kind)
  return { ...world, find, items, itemOf, lines, key: client.key as string }
}
