import { cutText } from '../../engine/storable.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { askJson, failed, misshapen } from '../ask.ts'
import { countryCode } from '../countries.ts'
import { dayAt, listAt, textAt, urlAt } from '../json.ts'
import type { JobBoardSource, Posting } from '../types.ts'
import { listed, MAX_BOARD_BYTES, MAX_POSTINGS, placeOf, posting } from './posting.ts'

const NAME = 'Recruitee'
const PACE: Pace = { kind: 'recruitee', intervalMs: 200, burst: 5, concurrency: 2 }
/** The token becomes part of a host name. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

export const recruitee: JobBoardSource = {
  name: NAME,
  async postings(deps, token) {
    if (!LABEL.test(token)) return failed(`${NAME} has no addresses like “${cutText(token, 80)}”.`)
    const url = `https://${token.toLowerCase()}.recruitee.com/api/offers/`
    const asked = await askJson(deps, NAME, url, { pace: PACE, maxBytes: MAX_BOARD_BYTES })
    if (asked.outcome !== 'answer') return asked
    const offers = listAt(asked.value, 'offers')
    if (!offers) return misshapen(deps, NAME)
    const open = offers.filter((offer) => (textAt(offer, 'status') ?? 'published') === 'published')
    return listed(deps, NAME, open.slice(0, MAX_POSTINGS).flatMap(read), open.length)
  },
}

function read(offer: unknown): Posting[] {
  const country = textAt(offer, 'country')
  return posting({
    url: urlAt(offer, 'careers_url'),
    title: textAt(offer, 'title'),
    department: textAt(offer, 'department'),
    location: placeOf(textAt(offer, 'city'), country) ?? textAt(offer, 'location'),
    country_code: countryCode(textAt(offer, 'country_code')) ?? countryCode(country),
    published_date: dayAt(offer, 'published_at'),
  })
}
