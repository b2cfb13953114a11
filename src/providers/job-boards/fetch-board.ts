import type { JobBoard } from '../../engine/page/links.ts'
import { cutText } from '../../engine/text/storable.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import { type JobBoardResult, type JobPosting, MAX_POSTINGS } from '../../engine/vendors/job-boards.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { isoDate } from '../../shared/days.ts'
import { failedResult, type ProviderRequestOptions, type ProviderResponse, reportUnexpectedFormat } from '../request.ts'
import type { ProviderDeps, SourceResult } from '../types.ts'
import { requestByRobots } from '../web/request-by-robots.ts'
import { toRawDocument } from '../web/response.ts'

/** A thousand postings with their texts are about ten megabytes. */
const MAX_BOARD_BYTES = 24 * 1024 * 1024

type Board = {
  name: string
  vendor: JobBoard['vendor']
  token: string
  pace: Pace
  /** The media type of the board; JSON by default. */
  accept?: string
  /** Whether a redirect to this URL means that the board does not exist. */
  isMissing?: (url: URL) => boolean
}
type BoardPostings = Extract<JobBoardResult, { outcome: 'read' }>

/** Requests a board, if its robots.txt allows that, and parses it in a parser thread. */
export async function fetchBoard(
  deps: ProviderDeps,
  board: Board,
  url: string,
  request: Pick<ProviderRequestOptions, 'method' | 'body' | 'headers'> = {},
): Promise<ProviderResponse<BoardPostings>> {
  const { name, vendor, token, pace, accept = 'application/json', isMissing = () => false } = board
  const headers = { accept, ...request.headers }
  // A token comes from a page, and may be a whole host.
  const response = await requestByRobots(deps, name, url, {
    ...request,
    ...{ what: 'job board', pace, maxBytes: MAX_BOARD_BYTES, headers, trust: 'public', isMissing },
  })
  if (response.outcome !== 'ok') return response
  const { document, options } = toRawDocument(response.value)
  // All boards of a vendor share a host; the limits are counted per board, so that one slow board does not block
  // others.
  const taskOptions = { ...options, from: `board ${vendor} ${token}`, signal: deps.signal }
  const read = await deps.parserPool.run(
    'board',
    { ...document, vendor, token, today: isoDate(deps.now()) },
    taskOptions,
  )
  if (read instanceof LimitExceeded) return failedResult(`${name}: ${read.reason}`)
  if (read.outcome === 'misshapen') return reportUnexpectedFormat(deps, name)
  if (read.outcome === 'read') return { outcome: 'ok', value: read }
  const message = `${name} responded with invalid JSON.`
  await deps.health.report(name, { kind: 'unreadable', message })
  return failedResult(message)
}

/**
 * The postings of a board, which returned `given` positions and reports `total`. Distinguishes an empty board from a
 * missing one, and a partial list from a complete one, because positions that were not read are not closed.
 */
export async function postingsResult(
  deps: Pick<ProviderDeps, 'health'>,
  name: string,
  postings: JobPosting[],
  given: number,
  total = given,
): Promise<SourceResult<JobPosting>> {
  if (total === 0) return { outcome: 'nothing', empty: true }
  if (postings.length === 0) return reportUnexpectedFormat(deps, name)
  const seen = Math.min(given, MAX_POSTINGS)
  const reason = `${seen} of the ${total} positions on ${name} were read.`
  return { outcome: 'items', items: postings.slice(0, MAX_POSTINGS), ...(total > seen && { reason }) }
}

/** Fetches a board whose vendor returns all postings at once. */
export async function fetchWholeBoard(
  deps: ProviderDeps,
  board: Board,
  url: string,
): Promise<SourceResult<JobPosting>> {
  const response = await fetchBoard(deps, board, url)
  return response.outcome === 'ok'
    ? postingsResult(deps, board.name, response.value.postings, response.value.given)
    : response
}

/** A name that is a label of a host, or a whole host. */
export const isHostToken = (token: string): boolean =>
  token.length <= 253 &&
  /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i.test(token)

export async function invalidToken(name: string, token: string): Promise<SourceResult<never>> {
  return failedResult(`“${cutText(token, 80)}” is not a valid ${name} board name.`)
}
