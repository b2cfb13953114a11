import type { JobPosting } from '../../engine/vendors/job-boards.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { reportUnexpectedFormat } from '../request.ts'
import type { JobBoardSource } from '../types.ts'
import { fetchBoard, invalidToken, postingsResult } from './fetch-board.ts'

const NAME = 'Workday'
const PACE: Pace = { kind: 'workday', intervalMs: 300, burst: 3, concurrency: 2 }
/** The API rejects larger pages. */
const PAGE = 20
/** The API lists no position beyond these. */
const MOST = 2_000
/** The tenant with its instance, and the careers site. */
const TOKEN = /^([a-z0-9-]{1,63})\.wd\d{1,3}\/([a-z0-9][a-z0-9_-]{0,79})$/i

export const workday: JobBoardSource = {
  name: NAME,
  example: 'workday.wd5/Workday',
  async postings(deps, token) {
    const [, tenant, site] = TOKEN.exec(token) ?? []
    if (!tenant || !site) return invalidToken(NAME, token)
    const host = `${token.split('/')[0]}.myworkdayjobs.com`.toLowerCase()
    const url = `https://${host}/wday/cxs/${tenant}/${site}/jobs`
    const board = { name: NAME, vendor: 'workday' as const, token, pace: PACE }
    const found: JobPosting[] = []
    let given = 0
    let total: number | null = null
    for (let offset = 0; offset < MOST; offset += PAGE) {
      const body = JSON.stringify({ appliedFacets: {}, limit: PAGE, offset, searchText: '' })
      const response = await fetchBoard(deps, board, url, { method: 'POST', body, headers: HEADERS })
      if (response.outcome === 'nothing' && offset > 0) return reportUnexpectedFormat(deps, NAME)
      if (response.outcome !== 'ok') return response
      // Some tenants report the total on the first page only.
      total ??= response.value.total
      if (total === null) return reportUnexpectedFormat(deps, NAME)
      found.push(...response.value.postings)
      given += response.value.given
      if (response.value.given === 0 || offset + PAGE >= total) break
    }
    return postingsResult(deps, NAME, found, given, Math.max(total ?? 0, given))
  },
}

/** The age of a posting is in the language of the request. */
const HEADERS = { 'content-type': 'application/json', 'accept-language': 'en-US' }
