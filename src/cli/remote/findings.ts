import type { Command } from 'commander'
import { CliError, EXIT_CODES } from '../terminal/exit-codes.ts'
import type { TerminalIo } from '../terminal/io.ts'
import { showFinding } from './accounts-show.ts'
import { formatCount, formatMinute } from './format-time.ts'
import { resolveOwnerFilter } from './owner.ts'
import { type CommandSession, parseWholeNumber, remoteCommand, withSession } from './session.ts'

type FindingsOptions = {
  since?: string
  signal?: string
  owner?: string
  tag?: string
  hot?: boolean
  search?: string
  limit: number
  seen?: boolean
}

const DAY_MS = 86_400_000

export function findingsCommand(program: Command, io: TerminalIo): void {
  remoteCommand(program, 'findings', null, ['findings --new --seen', 'findings --since 7d --signal funding --owner me'])
    .option('--since <when>', 'a date, or how long ago: 7d, 12h', '7d')
    .option('--new', 'since you last said --seen, here or in the console')
    .option('--signal <id>', 'of this signal')
    .option('--owner <member>', 'at accounts of: me, an email, a name or an id')
    .option('--tag <tag>', 'at accounts with this tag')
    .option('--hot', 'at hot accounts')
    .option('--search <text>', 'that mention it')
    .option('--limit <n>', 'how many at most', parseWholeNumber, 20)
    .option('--seen', 'note that you have seen them')
    .action(
      withSession(io, async (session, options: FindingsOptions & { new?: boolean }) => {
        const { client, out, json, note } = session
        const { signal, owner, tag, hot, search, limit } = options
        const begun = new Date().toISOString()
        const { since, said } = options.new ? await lastSeen(session) : readSince(options.since ?? '7d')
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
            ? `${shown.length} of ${formatCount(total, 'finding')} ${said}; --limit ${total} gives all of them.`
            : `${formatCount(total, 'finding')} ${said}.`,
        )
        if (options.seen) await client.put('/v1/me/feed-seen', { body: { at: begun } })
      }),
    )
}

/** A moment, and how it is called in a sentence. */
type Since = { since: string; said: string }

async function lastSeen({ client }: CommandSession): Promise<Since> {
  const since = (await client.get('/v1/me')).feed_seen_at
  return since ? { since, said: `since you last looked, ${formatMinute(since)}` } : readSince('7d')
}

function readSince(text: string): Since {
  const [, count, unit] = /^(\d{1,5})([dh])$/.exec(text) ?? []
  if (count) {
    const since = new Date(Date.now() - Number(count) * (unit === 'd' ? DAY_MS : DAY_MS / 24)).toISOString()
    return { since, said: `of the last ${formatCount(Number(count), unit === 'd' ? 'day' : 'hour')}` }
  }
  const time = Date.parse(text)
  if (!Number.isNaN(time)) return { since: new Date(time).toISOString(), said: `since ${text}` }
  throw new CliError(
    EXIT_CODES.usage,
    `--since ${text} is neither a date such as 2026-11-01 nor a time ago such as 7d or 12h.`,
  )
}
