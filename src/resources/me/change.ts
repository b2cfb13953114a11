import type { Deps } from '../../deps/deps.ts'
import { AppError } from '../../shared/errors.ts'
import type { Member } from '../../shared/member.ts'
import { rescheduleDigests } from '../alert-rules/store.ts'
import { isKnownTimeZone, setTimeZone } from '../members/store.ts'

/** Changes the time zone of the caller; digests that wait move to its hours. Throws invalid_request. */
export async function updateMe(
  { db }: Pick<Deps, 'db'>,
  { workspace_id, id }: Member,
  { time_zone }: { time_zone?: string },
): Promise<void> {
  if (time_zone === undefined) return
  // An offset such as +02:00 is valid in Intl, but has no daylight saving time, and PostgreSQL reads it with the other sign.
  if (!/^[A-Za-z]/.test(time_zone) || !isTimeZone(time_zone) || !(await isKnownTimeZone(db, time_zone))) {
    const message = 'must be the name of a time zone such as Europe/Vienna, America/New_York or UTC'
    throw new AppError('invalid_request', `time_zone ${message}.`, { details: [{ path: 'time_zone', message }] })
  }
  await db.transaction().execute(async (db) => {
    await setTimeZone(db, workspace_id, id, time_zone)
    await rescheduleDigests(db, workspace_id, { member_id: id })
  })
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
