import { Type } from 'typebox'
import { activityReference, encodeWithin, findOrCreate, oneLine } from '../vendor/activity.ts'
import type { CrmCall, CrmReply } from '../vendor/call.ts'
import { Maybe, type ResponseShape, responseShape } from '../vendor/response.ts'
import type { Activity, LoggedActivity } from '../vendor/types.ts'
import { classifyTaskResponse, LABEL } from './errors.ts'
import { type QueryPage, queryPage } from './query-page.ts'

type Options = Partial<Pick<CrmCall, 'classify' | 'creates'>>
type Request = (method: CrmCall['method'], path: string, json?: unknown, options?: Options) => Promise<CrmReply>
type Query = <T>(shape: ResponseShape<QueryPage<T>>, soql: string, options?: Options) => Promise<T[]>

const MAX_SUBJECT = 255
const MAX_DESCRIPTION = 32_000
/** A task of a lost result is among the newest of the account; descriptions are long, so the others are not read. */
const NEWEST = 200

const Tasks = queryPage({ Id: Type.String(), Description: Maybe(Type.String()) })
const Created = responseShape(Type.Object({ id: Type.String() }))

/**
 * Writes one task with the text as its description, unless the account has it. Every organization has tasks, whereas
 * enhanced notes (ContentNote) must be switched on and Lightning pages may not show classic ones (Note). Status and priority
 * get the defaults of the organization, whose values may be its own.
 */
export async function logActivity(
  call: Request,
  query: Query,
  { key, company_id, contact_id, owner_id, title, text, due_on }: Activity,
): Promise<LoggedActivity> {
  const reference = `\n\n${activityReference(key)}`
  const { id, created } = await findOrCreate(
    () => findTask(query, company_id, activityReference(key)),
    async () => {
      const task = {
        Subject: oneLine(title, MAX_SUBJECT),
        Description:
          encodeWithin(text.trim(), MAX_DESCRIPTION - reference.length, (character) => character) + reference,
        ActivityDate: due_on,
        WhatId: company_id,
        ...(contact_id === null ? {} : { WhoId: contact_id }),
        ...(owner_id === null ? {} : { OwnerId: owner_id }),
      }
      const options = { classify: classifyTaskResponse, creates: true }
      return Created.read((await call('POST', '/sobjects/Task', task, options)).body, LABEL).id
    },
  )
  return { note_id: id, task_id: id, created }
}

/** Compares descriptions here, because SOQL cannot filter by a long text. */
async function findTask(query: Query, accountId: string, reference: string): Promise<string | null> {
  const tasks = await query(
    Tasks,
    `SELECT Id, Description FROM Task WHERE WhatId = '${accountId}' ORDER BY CreatedDate DESC, Id DESC LIMIT ${NEWEST}`,
    { classify: classifyTaskResponse },
  )
  return tasks.find(({ Description }) => Description?.includes(reference))?.Id ?? null
}
