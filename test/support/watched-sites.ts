import { sweepMonitors } from '../../src/research/monitor/sweep.ts'
import { testService } from './service.ts'
import { type Paths, testWorld } from './world.ts'

export type MonitorEvent = {
  id: string
  url: string
  status: string
  search_status: string
  meaningful: boolean
  confidence: number
  reason: string
  run_id: string
  count: number
  urls: string[]
  is_ongoing: boolean
  created_at: string
  last_seen_at: string
}

export const page = (title: string, body: string, head = '') =>
  `<html><head><title>${title}</title>${head}</head><body><nav><a href="/">Home</a></nav><main><h1>${title}</h1>${body}</main></body></html>`

/** A service without a worker, so that a test decides when the sweep runs, and sites to watch. */
export async function watchedSites(env: Record<string, string> = {}) {
  const world = await testWorld({ vendors: [] })
  const { internet, sites } = world
  const service = await testService({ env: { ...world.env, ...env } })
  const { admin, deps, workspaceId } = service
  let count = 0

  const sweep = (parts = deps) =>
    sweepMonitors.run(parts, {}, { signal: new AbortController().signal, attempt: 0, progressed: async () => {} })

  /** An active account with a separate site. */
  async function watched(paths: (host: string) => Paths) {
    const host = `firm-${++count}.example`
    const site = paths(host)
    sites.set(host, site)
    const { id } = await admin.expect(201, 'POST', '/v1/accounts', { name: 'Halden Robotics', domain: host })
    await admin.expect(200, 'POST', `/v1/accounts/${id}/activate`)
    const account = { workspace_id: workspaceId, account_id: id }
    /** Makes a check of all pages due. */
    const due = () =>
      deps.db
        .updateTable('monitors')
        .set({ next_check_at: '2020-01-01T00:00:00Z', checks: 0 })
        .where('account_id', '=', id)
        .execute()
    const events = async (): Promise<MonitorEvent[]> =>
      (await admin.expect(200, 'GET', `/v1/accounts/${id}/monitor-events?all=true`)) as MonitorEvent[]
    /** The events that one more check adds to the activity feed, by path. */
    const check = async () => {
      const before = (await events()).length
      await due()
      await sweep()
      const all = await events()
      return new Map(all.slice(0, all.length - before).map((event) => [new URL(event.url).pathname, event]))
    }
    const asked = (path = '') => internet.requests.filter(({ url }) => url.startsWith(`https://${host}${path}`)).length
    return { id, host, account, due, events, check, asked, site }
  }

  return { service, internet, sites, watched, sweep }
}
