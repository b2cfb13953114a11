import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseJson } from '../../engine/text/storable.ts'
import { isId } from '../../shared/ids.ts'
import { BUTTON_ACTIONS, OPEN_BUTTON } from './slack-blocks.ts'
import { type ChatInteraction, type ChatVendor, InteractionRefusedError } from './types.ts'

/** Slack asks receivers to reject older requests; a replayed one is then limited to this time. */
const MAX_SKEW_SECONDS = 5 * 60
/** The payload contains the whole message, percent-encoded. */
const MAX_BODY_BYTES = 512 * 1024
const MAX_ID = 100

export const verifyInteraction: ChatVendor['verifyInteraction'] = (headers, rawBody, signingSecret, now) => {
  const body = typeof rawBody === 'string' ? Buffer.from(rawBody) : rawBody
  if (body.length > MAX_BODY_BYTES) throw new InteractionRefusedError('too_large', 'The request is too large.')
  const timestamp = headers['x-slack-request-timestamp']
  const signature = headers['x-slack-signature']
  if (typeof timestamp !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(timestamp))
    throw new InteractionRefusedError('not_signed', 'The request has no signature of Slack.')
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > MAX_SKEW_SECONDS)
    throw new InteractionRefusedError(
      'wrong_time',
      'The request was signed more than five minutes before or after now.',
    )
  if (!isEqual(signature, signatureOf(body, timestamp, signingSecret)))
    throw new InteractionRefusedError('wrong_signature', 'The signature does not match: check the signing secret.')
  return readClick(parsePayload(body.toString('utf8')), signature)
}

function signatureOf(body: Buffer, timestamp: string, secret: string): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')}`
}

/** In constant time: the position of the first difference would help to guess a signature. */
function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function parsePayload(form: string): unknown {
  try {
    const [, payload = ''] = /(?:^|&)payload=([^&]*)/.exec(form) ?? []
    return parseJson(decodeURIComponent(payload.replaceAll('+', ' ')))
  } catch (cause) {
    throw new InteractionRefusedError('malformed', 'The request is not an interaction of Slack.', { cause })
  }
}

type Fields = Readonly<Record<string, unknown>>

function readClick(payload: unknown, signature: string): ChatInteraction | null {
  const { type, user, channel, message, actions } = fieldsOf(payload)
  const [action] = Array.isArray(actions) ? actions : []
  const { action_id, value } = fieldsOf(action)
  if (type !== 'block_actions' || typeof action_id !== 'string') throw malformed()
  if (action_id === OPEN_BUTTON) return null
  const button = Object.hasOwn(BUTTON_ACTIONS, action_id) ? BUTTON_ACTIONS[action_id] : undefined
  const [work_item_id = '', detection_id = null, ...rest] = typeof value === 'string' ? value.split(' ') : []
  const isComplete = (button?.action === 'wrong') === (detection_id !== null) && rest.length === 0
  if (!button || !isComplete || ![work_item_id, detection_id ?? work_item_id].every(isId)) throw malformed()
  return {
    user_id: idOf(fieldsOf(user).id),
    action: button.action,
    snooze_until: button.snooze_until,
    work_item_id,
    detection_id,
    channel: idOf(fieldsOf(channel).id),
    ts: idOf(fieldsOf(message).ts),
    signature,
  }
}

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

function idOf(value: unknown): string {
  if (typeof value !== 'string' || value === '' || value.length > MAX_ID) throw malformed()
  return value
}

const malformed = () =>
  new InteractionRefusedError('malformed', 'The request is not a click on a button of this service.')
