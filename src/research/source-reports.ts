import { JOB_BOARDS } from '../providers/job-boards/index.ts'
import { isUnreachableReason, OFFLINE } from '../providers/preflight/network.ts'
import type { SourcedDocument } from '../resources/documents/store.ts'
import type { SourceReport } from '../resources/runs/store.ts'
import type { UnreadDocument } from './detector.ts'
import type { SkippedDocument } from './foreign-documents.ts'

/**
 * The reports with the number of their documents in which detection failed, or that were skipped for their language. A source of
 * which all documents failed has failed, because it may have reported anything.
 */
export function reportUnread(
  sources: readonly SourceReport[],
  documents: readonly SourcedDocument[],
  unread: readonly UnreadDocument[],
  skipped: readonly SkippedDocument[] = [],
): SourceReport[] {
  return sources.map((given) => {
    const own = documents.filter((document) => document.source === given.name)
    const ofOwn = <T extends { url: string }>(list: readonly T[]) =>
      list.filter(({ url }) => own.some((document) => document.url === url))
    const failed = ofOwn(unread)
    const source = reportSkipped(given, own.length, ofOwn(skipped), failed)
    const [first] = failed
    if (!first) return source
    const example = first.shown === undefined ? first.url : `one of ${first.shown}`
    const sentence = `${failed.length} of ${own.length} documents could not be searched for signals, such as ${example}: ${first.reason}`
    const reason = source.reason === null ? sentence : `${source.reason} ${sentence}`
    return failed.length === own.length ? { ...source, outcome: 'failed', items: 0, reason } : { ...source, reason }
  })
}

/** Skipping documents is no failure: a retry would have the same result. */
function reportSkipped(
  source: SourceReport,
  documents: number,
  skipped: readonly SkippedDocument[],
  failed: readonly UnreadDocument[],
): SourceReport {
  const languagesOf = (list: readonly { language?: string }[]) =>
    [...new Set(list.flatMap(({ language }) => language ?? []))].sort()
  const not_read = languagesOf([...skipped, ...failed])
  const known = not_read.length > 0 ? { ...source, not_read } : source
  if (skipped.length === 0) return known
  const sentence = `${skipped.length} of ${documents} documents were not searched for signals: ${languagesOf(skipped).join(', ')}.`
  return { ...known, reason: source.reason === null ? sentence : `${source.reason} ${sentence}` }
}

/** The reason for a research pass without any result: every source that reports events failed. Null when one succeeded. */
export function totalFailureReason(sources: readonly SourceReport[]): string | null {
  const ofEvents = sources.filter(({ profile_only }) => !profile_only)
  const asked = ofEvents.length > 0 ? ofEvents : sources
  if (asked.length === 0) return 'No source is switched on that can research this account. See SOURCES.'
  if (asked.some(({ outcome }) => outcome !== 'failed')) return null
  // A single site or source may be down itself.
  if (asked.length > 1 && asked.every(({ reason }) => isUnreachableReason(reason))) return OFFLINE
  return `No source could be read. ${describeFailures(asked)}`
}

/** The reason why a pass without findings does not prove that the signals are absent: the company's own site failed. Null when it was read. */
export function siteFailureReason(sources: readonly SourceReport[]): string | null {
  const failed = sources.filter(({ name, outcome }) => name === 'website' && outcome === 'failed')
  if (failed.length === 0) return null
  const others = sources.filter(({ name }) => name !== 'website')
  const rest = others.some(({ outcome }) => outcome === 'failed') ? 'report nothing or failed, too' : 'report nothing'
  const [first] = others
  return `The company's own site could not be read${first ? `, and the other sources ${rest}` : ''}. ${describeFailures(failed)}`
}

/** Joins the reasons of the failed sources, each after the name of its source. */
export function describeFailures(sources: readonly SourceReport[]): string {
  return sources
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ name, reason }) => (reason?.startsWith(name) ? reason : `${name}: ${reason}`))
    .join(' ')
}

/**
 * The signals that the sources would have shown: none when the company's own site failed or is partly in a language that is
 * not read, and not `hiring` when a job board failed.
 */
export function observableSignals(sources: readonly SourceReport[], signalIds: readonly string[]): string[] {
  const failed = sources.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name)
  if (failed.includes('website')) return []
  // A document that was not read may report anything.
  if (sources.some(({ name, not_read }) => name === 'website' && not_read)) return []
  const isBoardMissing = failed.some((name) => name in JOB_BOARDS)
  return signalIds.filter((id) => id !== 'hiring' || !isBoardMissing)
}
