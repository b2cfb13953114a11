import type { Command } from 'commander'
import { CliError, EXIT_CODES } from '../terminal/exit-codes.ts'
import type { TerminalIo } from '../terminal/io.ts'
import { formatCount } from './format-time.ts'
import { resolveOwnerFilter } from './owner.ts'
import { parseWholeNumber, remoteCommand, withSession } from './session.ts'
import { showFinding } from './show.ts'

type FindingsOptions = {
  since: string
  signal?: string
  owner?: string
  tag?: string
  hot?: boolean
  search?: string
  limit: number
}

const DAY_MS = 86_400_000

export function findingsCommand(program: Command, io: TerminalIo): void {
  remoteCommand(program, 'findings', null, ['findings --since 7d --signal funding --owner me'])
    .option('--since <when>', 'a date, or an age: 7d, 12h', '7d')
    .option('--signal <id>', 'only this signal')
    .option('--owner <member>', 'only at accounts of: me, an email, a name or an id')
    .option('--tag <tag>', 'only at accounts with this tag')
    .option('--hot', 'only at hot accounts')
    .option('--search <text>', 'only findings that mention this text')
    .option('--limit <n>', 'maximum number of findings', parseWholeNumber, 20)
    .action(
      withSession(io, async ({ client, out, json, note }, options: FindingsOptions) => {
        const { signal, owner, tag, hot, search, limit } = options
        const { since, wording } = parseSince(options.since)
        const query = {
          ...{ tag, hot, search, since, per_page: Math.min(100, Math.max(1, limit)) },
          signal_id: signal,
          owner_id: await resolveOwnerFilter(client, owner),
        }
        const found = []
        let total = 0
        for await (const { data, pagination } of client.pages('/v1/detections', { query })) {
          total = pagination.total
          found.push(...data)
          if (found.length >= limit) break
        }
        const shown = found.slice(0, limit)
        if (json) out.json(shown)
        else for (const finding of shown) showFinding(out, finding, finding.account.name)
        note(
          shown.length < total
            ? `${shown.length} of ${formatCount(total, 'finding')} ${wording}; use --limit ${total} to show all.`
            : `${formatCount(total, 'finding')} ${wording}.`,
        )
      }),
    )
}

/** A point in time, and its wording in a sentence. */
type Since = { since: string; wording: string }

function parseSince(text: string): Since {
  const [, count, unit] = /^(\d{1,5})([dh])$/.exec(text) ?? []
  if (count) {
    const since = new Date(Date.now() - Number(count) * (unit === 'd' ? DAY_MS : DAY_MS / 24)).toISOString()
    return { since, wording: `of the last ${formatCount(Number(count), unit === 'd' ? 'day' : 'hour')}` }
  }
  const time = Date.parse(text)
  if (!Number.isNaN(time)) return { since: new Date(time).toISOString(), wording: `since ${text}` }
  throw new CliError(
    EXIT_CODES.usage,
    `--since ${text} is neither a date such as 2026-11-01 nor an age such as 7d or 12h.`,
  )
}
