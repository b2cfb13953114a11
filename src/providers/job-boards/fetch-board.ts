import type { JobBoard } from '../../engine/page/links.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import { type JobBoardResult, type JobPosting, MAX_POSTINGS } from '../../engine/vendors/job-boards.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { failedResult, type ProviderResponse, reportUnexpectedFormat, requestProvider } from '../request.ts'
import type { ProviderDeps, SourceResult } from '../types.ts'
import { toRawDocument } from '../web/response.ts'

/** A board's whole answer; texts of a thousand postings come to some ten megabytes. */
const MAX_BOARD_BYTES = 24 * 1024 * 1024

type Board = { name: string; vendor: JobBoard['vendor']; token: string; pace: Pace }
type Listed = Extract<JobBoardResult, { outcome: 'read' }>

/** Asks a board; the answer is read in a reading thread. */
export async function fetchBoard(deps: ProviderDeps, board: Board, url: string): Promise<ProviderResponse<Listed>> {
  const { name, vendor, token, pace } = board
  const headers = { accept: 'application/json' }
  const response = await requestProvider(deps, name, url, { pace, maxBytes: MAX_BOARD_BYTES, headers })
  if (response.outcome !== 'ok') return response
  const { document, options } = toRawDocument(response.value)
  // All boards of a vendor are at one host: one that takes too long says nothing about the others.
  const place = { ...options, from: `board ${vendor} ${token}`, signal: deps.signal }
  const read = await deps.parserPool.run('board', { ...document, vendor, token }, place)
  if (read instanceof LimitExceeded) return failedResult(`${name}: ${read.reason}`)
  if (read.outcome === 'misshapen') return reportUnexpectedFormat(deps, name)
  if (read.outcome === 'read') return { outcome: 'ok', value: read }
  const message = `${name} answered something that is not JSON.`
  await deps.health.report(name, { kind: 'unreadable', message })
  return failedResult(message)
}

/**
 * What a board lists, out of so many positions that it gave, and so many that it says it has. One with nothing on it is told
 * apart from one that is not there, and one that was cut from a whole one: positions that were not read are not closed.
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
  const reason = `Of ${total} positions that ${name} lists, ${seen} were read.`
  return { outcome: 'items', items: postings.slice(0, MAX_POSTINGS), ...(total > seen && { reason }) }
}

/** A board that gives all it has at once. */
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
