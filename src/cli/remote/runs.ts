import { ApiError, type Schemas } from '@bellwether/client'
import { resolveAccountId } from '@bellwether/client/names'
import { type Command, Option } from 'commander'
import type { TerminalIo } from '../terminal/io.ts'
import { formatAgo, formatMinute } from './format-time.ts'
import { addListOptions, type ListOptions, pageSize, showList } from './list.ts'
import { showFinishedPush, showPush } from './push.ts'
import { type CommandSession, remoteCommand, withSession } from './session.ts'
import { showRunOutcome } from './show.ts'
import { readProviderLabels } from './tables.ts'
import { waitForPush, waitForRun } from './wait.ts'

type RunOptions = ListOptions & { status?: 'running' | 'done' | 'failed'; account?: string; pushes?: boolean }

export function runCommands(program: Command, io: TerminalIo): void {
  const runs = program.command('runs')

  const list = remoteCommand(runs, 'list', 'List scans and discoveries, or pushes, newest first', [
    'runs list --status running',
    'runs list --pushes',
  ])
    .addOption(new Option('--status <status>').choices(['running', 'done', 'failed']))
    .option('--account <account>', 'only scans of this account')
    .option('--pushes', 'list pushes instead')
  addListOptions(list).action(
    withSession(io, async (session, options: RunOptions) => {
      const { client } = session
      const { status, account, pushes } = options
      const per_page = pageSize(options)
      if (pushes) {
        const query = { status: status === 'done' ? ('completed' as const) : status, per_page }
        return showList(session, client.pages('/v1/push-runs', { query }), options, {
          columns: pushColumns(await readProviderLabels(client)),
          what: 'pushes',
        })
      }
      const query = {
        status,
        per_page,
        account_id: account === undefined ? undefined : await resolveAccountId(client, account),
      }
      await showList(session, client.pages('/v1/runs', { query }), options, { columns: RUNS, what: 'runs' })
    }),
  )

  remoteCommand(runs, 'show <id>', 'Show a scan, a discovery or a push', [
    'runs show 01890a5d-ac96-774b-bcce-b302099a8057',
  ]).action(
    withSession(io, async (session, id: string) => {
      const { run, push } = await readRunOrPush(session, id)
      if (push) return showPush(session, push)
      if (run) showRun(session, run)
    }),
  )

  remoteCommand(runs, 'wait <id>', 'Wait for a scan, a discovery or a push to end', [
    'runs wait 01890a5d-ac96-774b-bcce-b302099a8057',
  ]).action(
    withSession(io, async (session, id: string) => {
      const { push } = await readRunOrPush(session, id)
      if (push) return showFinishedPush(session, await waitForPush(session, id))
      showRun(session, await waitForRun(session, id))
    }),
  )
}

const MODES = {
  discovery: 'Discovery',
  monitor: 'Monitoring of accounts',
  both: 'Discovery and monitoring of accounts',
}

const RUNS = [
  { title: 'ID', value: ({ id }: Schemas['Run']) => id, whole: true },
  { title: 'STATUS', value: ({ status }: Schemas['Run']) => status },
  { title: 'STARTED', value: ({ started_at }: Schemas['Run']) => formatAgo(started_at), whole: true },
  { title: 'NAME', value: ({ name, mode, failure }: Schemas['Run']) => failure ?? name ?? MODES[mode] },
  { title: 'MATCHED', value: ({ stats }: Schemas['Run']) => stats.matched, right: true, extra: true },
]

const pushColumns = (labelOf: (provider: string) => string) => [
  { title: 'ID', value: ({ id }: Schemas['PushRun']) => id, whole: true },
  { title: 'STATUS', value: ({ status }: Schemas['PushRun']) => status, whole: true },
  { title: 'STARTED', value: ({ created_at }: Schemas['PushRun']) => formatAgo(created_at), whole: true },
  {
    title: 'SENT',
    value: ({ sent, total, failed }: Schemas['PushRun']) => `${sent} of ${total}${failed ? `, ${failed} failed` : ''}`,
  },
  {
    title: 'TO',
    value: ({ destination, providers }: Schemas['PushRun']) => destination?.name ?? providers.map(labelOf).join(', '),
  },
]

/** Reads a run or a push: the same command takes the ids of both. */
async function readRunOrPush(
  { client }: CommandSession,
  id: string,
): Promise<{ run?: Schemas['FullRun']; push?: Schemas['PushRun'] }> {
  try {
    return { run: await client.get('/v1/runs/{id}', { path: { id } }) }
  } catch (error) {
    if (!ApiError.is(error, 'not_found')) throw error
    return { push: await client.get('/v1/push-runs/{id}', { path: { id } }) }
  }
}

function showRun({ out, json }: CommandSession, run: Schemas['FullRun']): void {
  if (json) {
    out.json(run)
    return
  }
  out.pairs([
    ['id', run.id],
    ['status', run.status],
    ['started', `${formatMinute(run.started_at)}, ${formatAgo(run.started_at)}`],
    ['ended', run.finished_at ? formatMinute(run.finished_at) : null],
    ['failure', run.failure ?? undefined],
  ])
  showRunOutcome(out, run)
}
