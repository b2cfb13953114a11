import { AppError } from '../../errors.ts'
import type { Outbound } from '../../outbound/client.ts'
import { OutboundError } from '../../outbound/errors.ts'

type Answer = { ok?: boolean; error?: string; team?: string; team_id?: string }

/** Tries a bot token with a cheap call and answers which workspace of the chat it opens. Throws credential_rejected, unavailable. */
export async function identifyChat(outbound: Outbound, token: string): Promise<string> {
  const answer = await outbound
    .request('https://slack.com/api/auth.test', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' },
      body: '{}',
      redirects: 'refuse',
    })
    .catch((cause: unknown) => {
      if (!(cause instanceof OutboundError)) throw cause
      throw new AppError('unavailable', 'The chat cannot be reached at the moment. Try again later.', { cause })
    })
  const { ok, error, team, team_id } = read(answer.text())
  if (ok) return team ?? team_id ?? 'chat'
  // A refusal comes as a 200 that is not ok.
  if (answer.status === 200 && error !== 'ratelimited' && error !== 'rate_limited') {
    throw new AppError('credential_rejected', `The chat does not accept this token (${error ?? 'it did not say why'}).`)
  }
  throw new AppError('unavailable', 'The chat cannot answer at the moment. Try again later.', { cause: error })
}

function read(text: string): Answer {
  try {
    return (JSON.parse(text) ?? {}) as Answer
  } catch {
    // A proxy's page, for instance; its status says enough.
    return {}
  }
}
