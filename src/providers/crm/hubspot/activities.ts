import { Type } from 'typebox'
import { activityReference, encodeWithin, findOrCreate, oneLine } from '../vendor/activity.ts'
import { type CrmCall, chunks } from '../vendor/call.ts'
import { Maybe, type ResponseShape, responseShape } from '../vendor/response.ts'
import type { Activity, LoggedActivity } from '../vendor/types.ts'
import { type ActivityType, classifyActivityResponse } from './errors.ts'
import { API_VERSION, BATCH } from './limits.ts'

export type ReadResponse = <T>(
  shape: ResponseShape<T>,
  method: CrmCall['method'],
  path: string,
  json?: unknown,
  options?: Partial<Pick<CrmCall, 'classify' | 'creates'>>,
) => Promise<T>

/** The property with the text of an activity. */
const BODY: Record<ActivityType, string> = { notes: 'hs_note_body', tasks: 'hs_task_body' }
/** HubSpot's type ids of the associations from an activity to a record. */
const ASSOCIATION = { notes: { company: 190, contact: 202 }, tasks: { company: 192, contact: 204 } }
/** The maximum length of a note, and of any text property. */
const MAX_BODY = 65_536
const MAX_SUBJECT = 255
/** A task is due at the end of a working day: an earlier hour would show it as overdue on the day itself. */
const DUE_TIME = '18:00:00'

const Associated = responseShape(
  Type.Object({
    results: Type.Array(
      Type.Object({
        to: Type.Array(Type.Object({ toObjectId: Type.Union([Type.String(), Type.Integer()]) })),
        paging: Maybe(Type.Object({ next: Maybe(Type.Object({ after: Type.String() })) })),
      }),
    ),
  }),
)
const Bodies = responseShape(
  Type.Object({
    results: Type.Array(
      Type.Object({
        id: Type.String(),
        properties: Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()])),
      }),
    ),
  }),
)
const Created = responseShape(Type.Object({ id: Type.String() }))
const TimeZone = responseShape(Type.Object({ utcOffset: Type.String({ pattern: '^[+-]\\d\\d:\\d\\d$' }) }))

/** Writes a note and a task with the text, unless the company has them: who works through tasks does not see notes. */
export async function logActivity(read: ReadResponse, activity: Activity): Promise<LoggedActivity> {
  const { title, text, due_on, logged_at, owner_id } = activity
  const owner: Record<string, string> = owner_id === null ? {} : { hubspot_owner_id: owner_id }
  const note = await writeOnce(read, 'notes', activity, async () => ({
    hs_timestamp: logged_at,
    hs_note_body: htmlOf(text, activity.key),
    ...owner,
  }))
  const task = await writeOnce(read, 'tasks', activity, async () => ({
    hs_timestamp: await dueAt(read, due_on),
    hs_task_subject: oneLine(title, MAX_SUBJECT),
    hs_task_body: htmlOf(text, activity.key),
    hs_task_status: 'NOT_STARTED',
    hs_task_type: 'TODO',
    ...owner,
  }))
  return { note_id: note.id, task_id: task.id, created: note.created || task.created }
}

function writeOnce(
  read: ReadResponse,
  type: ActivityType,
  { key, company_id, contact_id }: Activity,
  properties: () => Promise<Record<string, string>>,
) {
  const classify = classifyActivityResponse(type)
  const associations = (['company', 'contact'] as const).flatMap((object) => {
    const id = object === 'company' ? company_id : contact_id
    if (id === null) return []
    const kind = { associationCategory: 'HUBSPOT_DEFINED', associationTypeId: ASSOCIATION[type][object] }
    return [{ to: { id }, types: [kind] }]
  })
  return findOrCreate(
    () => findByReference(read, type, company_id, activityReference(key)),
    async () => {
      const json = { properties: await properties(), associations }
      const path = `/crm/objects/${API_VERSION}/${type}`
      return (await read(Created, 'POST', path, json, { classify, creates: true })).id
    },
  )
}

/** Reads the activities of a company instead of searching them, because a search lags behind writes. */
async function findByReference(
  read: ReadResponse,
  type: ActivityType,
  companyId: string,
  reference: string,
): Promise<string | null> {
  const classify = classifyActivityResponse(type)
  const body = BODY[type]
  for (let after: string | undefined; ; ) {
    // A company without activities has no result.
    const { results } = await read(
      Associated,
      'POST',
      `/crm/associations/${API_VERSION}/companies/${type}/batch/read`,
      { inputs: [{ id: companyId, ...(after ? { after } : {}) }] },
      { classify },
    )
    const ids = results.flatMap(({ to }) => to.map(({ toObjectId }) => String(toObjectId)))
    for (const part of chunks(ids, BATCH)) {
      const json = { properties: [body], propertiesWithHistory: [], inputs: part.map((id) => ({ id })) }
      const path = `/crm/objects/${API_VERSION}/${type}/batch/read`
      const found = await read(Bodies, 'POST', path, json, { classify })
      const match = found.results.find(({ properties }) => properties[body]?.includes(reference))
      if (match) return match.id
    }
    after = results[0]?.paging?.next?.after
    if (!after) return null
  }
}

/** HubSpot shows the due date in the time zone of the account, where midnight UTC may be the day before. */
async function dueAt(read: ReadResponse, day: string): Promise<string> {
  const { utcOffset } = await read(TimeZone, 'GET', `/account-info/${API_VERSION}/details`)
  return new Date(`${day}T${DUE_TIME}${utcOffset}`).toISOString()
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** The text as HTML with the reference in the last line. The text may come from web pages, so all markup is escaped. */
function htmlOf(text: string, key: string): string {
  const reference = `<br><br>${activityReference(key)}`
  const encode = (character: string) => (character === '\n' ? '<br>' : (ENTITIES[character] ?? character))
  return encodeWithin(text.trim(), MAX_BODY - reference.length, encode) + reference
}
