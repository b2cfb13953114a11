import type { Award, SandboxResponse, Vendor, World } from '../types.ts'
import { awardPage, awardsBy, awardUrl, parseBody } from './awards.ts'
import { json } from './boards.ts'

/** https://api.reporter.nih.gov: the search of projects. */
export const nihReporter: Vendor = {
  name: 'nih-reporter',
  hosts: ['api.reporter.nih.gov', 'reporter.nih.gov'],
  answer({ url, method, body }, world) {
    if (url.hostname === 'reporter.nih.gov') return awardPage(url, world)
    if (url.pathname !== '/v2/projects/search') return json(404, { message: 'Not Found' })
    return method === 'POST' ? search(body, world) : json(405, { message: 'Method Not Allowed' })
  },
}

type Search = {
  criteria?: {
    award_notice_date?: { from_date: string; to_date: string }
    activity_codes?: string[]
    award_types?: string[]
  }
  include_fields?: string[]
  offset?: number
  limit?: number
}

function search(body: string, world: World): SandboxResponse {
  const { criteria, include_fields, offset = 0, limit = 50 } = (parseBody(body) ?? {}) as Search
  if (!criteria || limit > 500 || offset > 14_999) return json(400, ['The criteria are not valid.'])
  const { award_notice_date: days, activity_codes, award_types } = criteria
  const found = awardsBy(world, 'nih-reporter').filter((award) => {
    const isInTime = !days || (award.day >= days.from_date && award.day <= days.to_date)
    const isOfType = !award_types || award_types.includes(typeOf(award))
    return isInTime && isOfType && (!activity_codes || activity_codes.includes('R44'))
  })
  return json(200, {
    meta: { search_id: null, total: found.length, offset, limit, sort_field: 'award_notice_date', sort_order: 'desc' },
    results: found.slice(offset, offset + limit).map((award) => project(award, include_fields)),
  })
}

const typeOf = ({ isContinued }: Award) => (isContinued ? '5' : '1')

/** Fields are requested as `AwardAmount` and returned as `award_amount`. */
function project(award: Award, asked: string[] | undefined): object {
  const all: Record<string, unknown> = {
    appl_id: Number(award.id),
    fiscal_year: Number(award.day.slice(0, 4)),
    project_num: `${typeOf(award)}R44GM${award.id.slice(-6)}-01`,
    activity_code: 'R44',
    award_type: typeOf(award),
    award_amount: award.amount,
    award_notice_date: `${award.day}T00:00:00`,
    project_title: award.description,
    organization: { org_name: award.recipient, org_city: 'BALTIMORE', org_state: 'MD', org_country: 'UNITED STATES' },
    agency_ic_admin: { code: 'GM', abbreviation: 'NIGMS', name: award.agency },
    contact_pi_name: 'DOE, JANE',
    project_detail_url: awardUrl(award),
  }
  if (!asked) return all
  const wanted = asked.map((field) => field.replaceAll(/(?<!^)([A-Z])/g, '_$1').toLowerCase())
  return Object.fromEntries(wanted.filter((field) => field in all).map((field) => [field, all[field]]))
}
