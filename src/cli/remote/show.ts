import type { Schemas } from '@bellwether/client'
import { type TerminalOutput, withStyle } from '../terminal/output.ts'
import { formatDayAndAgo } from './format-time.ts'

/** Prints a finding with its proof, after a blank line: sentences of a page in quotes, with the URL of the page. */
export function showFinding(out: TerminalOutput, finding: Schemas['SignalDetection'], account?: string): void {
  out.line()
  const judged = finding.feedback ? `  (marked as ${finding.feedback.verdict})` : ''
  out.line(
    ...(account ? [withStyle('bold', account), '  '] : []),
    withStyle(account ? 'dim' : 'bold', finding.signal_id),
    `  ${formatDayAndAgo(finding.detected_at)}`,
    withStyle('dim', judged),
  )
  if (finding.headline) out.text(finding.headline, { indent: '  ' })
  for (const { claim, quote, source_url, published_date } of finding.evidence) {
    if (quote) out.text(`“${quote}”`, { indent: '  ' })
    else if (claim !== finding.headline) out.text(claim, { indent: '  ' })
    if (source_url) out.line('  ', withStyle('dim', [source_url, published_date].filter(Boolean).join('  ')))
  }
  if (finding.personas.length > 0) out.line('  ', withStyle('dim', `Who to contact: ${finding.personas.join(', ')}`))
}

/** Prints the outcome of a run, with failed sources, because a failed source is not the same as no finding. */
export function showRunOutcome(out: TerminalOutput, { account_id, jobs, stats }: Schemas['FullRun']): void {
  if (account_id) {
    const count = (wanted: string) => jobs.filter(({ state }) => state === wanted).length
    const failed = count('failed')
    out.line(
      `${count('found')} of ${jobs.length} signals found in ${stats.documents ?? 0} documents`,
      failed > 0 ? `; ${failed} could not be checked` : '',
    )
  } else out.line(`${stats.candidates} companies checked, ${stats.matched} matched, ${stats.accounts} accounts`)
  for (const { name, outcome, reason } of [...(stats.sources ?? []), ...(stats.lead_sources ?? [])])
    if (outcome === 'failed') out.line(`  ${name} failed: ${reason ?? 'no reason given'}`)
}
