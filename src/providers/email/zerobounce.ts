import { textAt } from '../../engine/json/fields.ts'
import { requestJson } from '../request.ts'
import { EMPTY_EMAIL_FINDING, type EmailFinding, type EmailVerifier } from '../types.ts'
import { CATCH_ALL } from './smtp-dialogue.ts'

export const ZEROBOUNCE = 'ZeroBounce'
const PACE = { kind: 'zerobounce', intervalMs: 100, burst: 10, concurrency: 10 }
/** A check takes up to half a minute when the mail server is slow. */
const TIMEOUTS = { headers: 40_000, body: 10_000, total: 45_000 }
/** Every check costs a credit. */
const MAX_ADDRESSES = 3

/** Statuses that rule an address out; the remaining ones decide nothing. */
const REFUSED = new Set(['invalid', 'spamtrap', 'abuse', 'do_not_mail'])

/** The vendor's `GET /v2/validate`. */
export const zerobounce: EmailVerifier = {
  name: 'zerobounce',
  isOn: ({ ZEROBOUNCE_API_KEY }) => ZEROBOUNCE_API_KEY !== null,
  async verify(deps, _domain, addresses) {
    const finding: EmailFinding = { ...EMPTY_EMAIL_FINDING, refused: [] }
    for (const email of addresses.slice(0, MAX_ADDRESSES)) {
      const query = new URLSearchParams({ api_key: deps.config.ZEROBOUNCE_API_KEY ?? '', email, ip_address: '' })
      const response = await requestJson(deps, ZEROBOUNCE, `https://api.zerobounce.net/v2/validate?${query}`, {
        pace: PACE,
        timeouts: TIMEOUTS,
        maxBytes: 100_000,
      })
      if (response.outcome !== 'ok') {
        const undecided =
          response.outcome === 'failed' ? response.reason : `${ZEROBOUNCE} returned no result for this address.`
        return { ...finding, undecided, whole_domain: true, failed: true }
      }
      const status = textAt(response.value, 'status')?.toLowerCase()
      // An invalid key and an exhausted account yield status 200 with an error.
      if (!status) {
        const error = textAt(response.value, 'error')
        const undecided = error
          ? `${ZEROBOUNCE} rejected the API key, or the account has no credits left.`
          : `${ZEROBOUNCE} responded in an unexpected format.`
        await deps.health.report(ZEROBOUNCE, { kind: error ? 'refused' : 'unreadable', message: undecided })
        return { ...finding, undecided, whole_domain: true, failed: true }
      }
      if (status === 'valid') return { ...finding, verified: email, undecided: null }
      if (status === 'catch-all') return { ...finding, undecided: CATCH_ALL, whole_domain: true }
      if (REFUSED.has(status)) finding.refused.push(email)
      else finding.undecided = `${ZEROBOUNCE} could not verify every address.`
    }
    if (addresses.length > MAX_ADDRESSES) finding.undecided ??= 'Only the most likely addresses were checked.'
    return finding
  },
}
