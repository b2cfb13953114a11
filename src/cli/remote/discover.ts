import { type Command, Option } from 'commander'
import type { TerminalIo } from '../terminal/io.ts'
import { collectOption, parseWholeNumber, remoteCommand, withSession } from './session.ts'
import { showRunOutcome } from './show.ts'
import { ACCOUNT_TABLE } from './tables.ts'
import { waitForRun } from './wait.ts'

type DiscoverOptions = {
  signal?: string[]
  must?: string[]
  exclude?: string[]
  name?: string
  mode?: 'discovery' | 'monitor' | 'both'
  recency?: string
  geography?: string[]
  industry?: string[]
  employeesMin?: number
  employeesMax?: number
  wait?: boolean
}

const SHOWN = 20

export function discoverCommand(program: Command, io: TerminalIo): void {
  remoteCommand(program, 'discover', null, [
    'discover --signal funding --geography DACH --recency 90 --wait',
    'discover --signal hiring --exclude layoffs --industry Software --employees-min 50',
  ])
    .option('--signal <id>', 'at least one of these signals; repeatable', collectOption)
    .option('--must <id>', 'a required signal; repeatable', collectOption)
    .option('--exclude <id>', 'an excluded signal; repeatable', collectOption)
    .option('--recency <days>', 'maximum age of a signal in days, or all')
    .option('--geography <place>', 'a region, country, state or city; repeatable', collectOption)
    .option('--industry <name>', 'an industry; repeatable', collectOption)
    .option('--employees-min <n>', 'minimum number of employees', parseWholeNumber)
    .option('--employees-max <n>', 'maximum number of employees', parseWholeNumber)
    .option('--name <name>', 'a name for the run')
    .addOption(
      new Option('--mode <mode>', 'new companies, active accounts, or both').choices(['discovery', 'monitor', 'both']),
    )
    .option('--wait', 'wait until it is done and show the findings')
    .action(
      withSession(io, async (session, options: DiscoverOptions) => {
        const { client, out, json, note } = session
        const { signal, must, exclude, geography, industry, employeesMin, employeesMax, name, mode, recency } = options
        const body = {
          signals: {
            ...(signal ? { any_of: signal } : {}),
            ...(must ? { must_have: must } : {}),
            ...(exclude ? { exclude } : {}),
          },
          ...(name === undefined ? {} : { name }),
          ...(mode === undefined ? {} : { mode }),
          ...(recency === undefined ? {} : { recency }),
          ...(geography ? { geographies: geography } : {}),
          ...(industry ? { industries: industry } : {}),
          ...(employeesMin === undefined ? {} : { employee_min: employeesMin }),
          ...(employeesMax === undefined ? {} : { employee_max: employeesMax }),
        }
        const started = await client.post('/v1/runs', { body })
        if (!options.wait) {
          if (json) return out.json(started)
          out.line(started.run_id)
          return note(`Started. Wait for it with "bellwether runs wait ${started.run_id}".`)
        }
        const run = await waitForRun(session, started.run_id, 'The discovery')
        const query = { run_id: run.id, per_page: SHOWN }
        const { data, pagination } = await client.get('/v1/accounts', { query })
        if (json) return out.json({ ...run, found: data })
        showRunOutcome(out, run)
        if (data.length > 0) out.table(ACCOUNT_TABLE, data)
        if (pagination.has_more)
          note(`These are the first ${SHOWN}. List all: bellwether accounts list --run ${run.id} --all`)
      }),
    )
}
