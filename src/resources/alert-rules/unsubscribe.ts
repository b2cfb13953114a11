import { createHmac, timingSafeEqual } from 'node:crypto'
import { audited } from '../../audit/record.ts'
import { recordAt } from '../../audit/records.ts'
import type { Deps } from '../../deps/deps.ts'
import type { RequestSource } from '../../http/audit.ts'
import type { Secrets } from '../../shared/secrets.ts'
import { endSubscription, findSubscription, resumeSubscription } from './store.ts'

/** A rule and a member whom it reaches. */
type Subscription = { workspace_id: string; rule_id: string; member_id: string }

const ID_BYTES = 16
const MAC_BYTES = 32
const TOKEN_BYTES = 3 * ID_BYTES + MAC_BYTES

const macOf = ({ unsubscribeKey }: Secrets, ids: Buffer) => createHmac('sha256', unsubscribeKey).update(ids).digest()

/** A token that unsubscribes the member from the rule, and from nothing else, or undoes that. It does not expire, like the mail it is in. */
export function createUnsubscribeToken(secrets: Secrets, { workspace_id, rule_id, member_id }: Subscription): string {
  const ids = Buffer.from([workspace_id, rule_id, member_id].join('').replaceAll('-', ''), 'hex')
  return Buffer.concat([ids, macOf(secrets, ids)]).toString('base64url')
}

/** Returns null for a forged token. */
function readUnsubscribeToken(secrets: Secrets, token: string): Subscription | null {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== TOKEN_BYTES) return null
  const ids = bytes.subarray(0, 3 * ID_BYTES)
  if (!timingSafeEqual(bytes.subarray(3 * ID_BYTES), macOf(secrets, ids))) return null
  const [workspace_id, rule_id, member_id] = [0, 1, 2].map((at) =>
    ids
      .subarray(at * ID_BYTES, (at + 1) * ID_BYTES)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  ) as [string, string, string]
  return { workspace_id, rule_id, member_id }
}

/** The rule of a valid token, whose subscription is ended or resumed. Null for a token that is not valid. */
export async function changeSubscription(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  token: string,
  change: 'end' | 'resume' | null,
  from: RequestSource,
) {
  const subscription = readUnsubscribeToken(secrets, token)
  const found = subscription && (await findSubscription(db, subscription))
  if (!subscription || !found) return null
  if (change === null) return found
  const { workspace_id, member_id, rule_id } = subscription
  const source = { ...from, workspace_id, actor: 'anonymous', member_id } as const
  const [action, apply] = change === 'end' ? ['unsubscribe', endSubscription] : ['subscribe', resumeSubscription]
  await audited(db, source, action, { record: recordAt('/alert-rules'), id: rule_id }, () => apply(db, subscription))
  return found
}
