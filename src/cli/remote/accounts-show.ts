import { showFinding } from './show.ts'
import type { Schemas } from '@bellwether/client'
import { resolveAccountId } from '@bellwether/client/names'
import type { Command } from 'commander'
import type { TerminalIo } from '../terminal/io.ts'
import { type TerminalOutput, withStyle } from '../terminal/output.ts'
import { formatAgo } from './format-time.ts'
import { remoteCommand, withSession } from './session.ts'

export function showAccountCommand(accounts: Command, io: TerminalIo): void {
  remoteCommand(accounts, 'show <account>', 'Show an account: its score, why now, and its findings with their proof', [
    'accounts show acme.com',
    'accounts show "Acme Rail" --json',
  ]).action(
    withSession(io, async ({ client, out, json }, given: string) => {
      const path = { id: await resolveAccountId(client, given) }
      const [account, score, findings, members] = await Promise.all([
        client.get('/v1/accounts/{id}', { path }),
        client.get('/v1/accounts/{id}/score', { path }),
        client.get('/v1/accounts/{id}/signals', { path, query: { present: true } }),
        client.get('/v1/members'),
      ])
      if (json) return out.json({ ...account, score_components: score.components, findings })
      const owner = members.find(({ id }) => id === account.owner_id)?.name ?? null
      showAccount(out, account, owner)
      for (const { name, points, because } of score.components)
        out.text(name === FIT ? because.replace(/^fits:/, 'matches your ideal customer:') : `${name}: ${because}`, {
          first: ['  ', withStyle('dim', `${points > 0 ? '+' : ''}${points}`.padStart(5)), '  '],
          indent: ' '.repeat(9),
        })
      if (account.why_now_md) {
        out.line()
        out.line(withStyle('bold', 'Why now'))
        out.text(stripMarkdown(account.why_now_md))
      }
      for (const finding of findings) showFinding(out, finding)
      if (findings.length === 0) out.line(account.last_scanned_at ? 'Nothing found yet.' : 'Not scanned yet.')
    }),
  )
}

/** The score component for the match with the ideal customer; every other component is a signal id. */
const FIT = 'icp_fit'

/** Removes Markdown syntax and link targets; the URLs follow with the proof. */
function stripMarkdown(markdown: string): string {
  return markdown.replaceAll('**', '').replaceAll(/\[([^\]]*)\]\((?:https?:)[^)\s]*\)/g, '$1')
}

function showAccount(out: TerminalOutput, account: Schemas['Account'], owner: string | null): void {
  out.line(withStyle('bold', account.name), account.is_hot ? withStyle('warm', '  hot') : '')
  out.pairs([
    ['id', account.id],
    ['domain', account.domain],
    ['status', account.status],
    ['industry', account.industry],
    ['employees', account.employees],
    ['location', [account.location, account.country].filter(Boolean).join(', ') || null],
    ['owner', owner],
    ['tags', account.tags.join(', ') || null],
    ['last scan', account.last_scanned_at && formatAgo(account.last_scanned_at)],
    ['score', account.score],
  ])
}
