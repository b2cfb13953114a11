import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import { defineJob, LOST_WORKER_MESSAGE } from '../../jobs/define.ts'
import { toProviderDeps } from '../../providers/types.ts'
import { type SiteSurvey, surveySite } from '../../providers/web/survey.ts'
import { addPage, claimDueProfiles, getCompanyProfile, saveReading } from '../../resources/company-profile/store.ts'
import { enqueueKnowledgeUpdate } from '../knowledge-base/apply.ts'
import { seedSections } from '../knowledge-base/seed.ts'

/** Enough for the home page and the pages about the company and its prices; news is not needed. */
const MAX_PAGES = 10
/** The delay before a failed read is retried. */
const RETRY_SECONDS = 86_400
const MAX_LISTED = 20

/**
 * Reads the workspace's own site, fills the company profile and drafts sections of the knowledge base. A failure is
 * recorded in `scraped_meta` and changes nothing else. Does nothing without a domain.
 */
async function readProfile(deps: Deps, workspaceId: string, signal: AbortSignal): Promise<void> {
  const { db, config, jobs, log, now } = deps
  const { domain, name: known, is_name_set, refresh } = await getCompanyProfile(db, workspaceId)
  if (!domain) return
  const { started_at } = refresh
  const read_at = now().toISOString()
  const survey: SiteSurvey = config.SOURCES.has('website')
    ? await surveySite(toProviderDeps(deps, signal), domain, {
        since: read_at.slice(0, 10),
        maxPages: MAX_PAGES,
        onPage: ({ url, title }) => addPage(db, workspaceId, started_at, { url, title }),
      })
    : { outcome: 'failed', reason: 'SOURCES does not let the service read web sites.', failures: [] }
  const failures = survey.failures.slice(0, MAX_LISTED)
  const fail = async (reason: string, outcome: 'failed' | 'nothing' = 'failed') => {
    log.warn({ workspace_id: workspaceId, domain, reason }, 'failed to read the own site')
    await saveUnread(db, workspaceId, started_at, { outcome, reason, domain, read_at, failures })
  }
  if (survey.outcome !== 'items') {
    const reason = survey.outcome === 'failed' ? survey.reason : 'The site has no page that could be read.'
    return fail(reason, survey.outcome)
  }
  const { pages, organization } = survey
  const standing = pages.filter(({ kind }) => kind !== 'article' && kind !== 'feed')
  const company = { name: organization?.name ?? known, description: organization?.description ?? null }
  const texts = standing.map(({ url, kind, title, text }) => ({ url, kind, title, text }))
  const drafted = await deps.parserPool.run('profile', { company, pages: texts }, { from: domain })
  if (drafted instanceof LimitExceeded) return fail(drafted.reason)
  const { context, drafts } = drafted
  await db.transaction().execute(async (db) => {
    const isCurrent = await saveReading(
      db,
      workspaceId,
      { domain, started_at },
      {
        ...(organization?.name ? { name: organization.name } : {}),
        ...(organization?.logo_url ? { logo_url: organization.logo_url } : {}),
        ...(context ? { business_context: context } : {}),
        aliases: survey.domains.filter((one) => one !== domain),
        scraped_meta: {
          outcome: 'items',
          domain,
          read_at,
          title: standing.find(({ kind }) => kind === 'home')?.title ?? null,
          pages: standing.slice(0, MAX_LISTED).map(({ url, kind, title }) => ({ url, kind, title })),
          organization,
          failures,
        },
        againInSeconds: null,
      },
    )
    if (!isCurrent) return
    // First, because it locks the workspace, as editing a section does.
    const seeded = await seedSections({ db, jobs }, workspaceId, drafts)
    // Drafts are signed with the company name.
    if (company.name !== known && !is_name_set) await enqueueKnowledgeUpdate({ db, jobs }, workspaceId)
    log.info({ workspace_id: workspaceId, domain, pages: standing.length, ...seeded }, 'own site read')
  })
}

/** Records that the site could not be read. */
async function saveReadFailure({ db, now }: Pick<Deps, 'db' | 'now'>, workspaceId: string, reason: string) {
  const { domain, refresh } = await getCompanyProfile(db, workspaceId)
  if (!domain) return
  const unread = { outcome: 'failed', reason, domain, read_at: now().toISOString(), failures: [] } as const
  await saveUnread(db, workspaceId, refresh.started_at, unread)
}

type Unread = {
  outcome: 'failed' | 'nothing'
  reason: string
  domain: string
  read_at: string
  failures: readonly unknown[]
}

async function saveUnread(db: Db, workspaceId: string, started_at: string | null, meta: Unread): Promise<void> {
  await saveReading(
    db,
    workspaceId,
    { domain: meta.domain, started_at },
    { scraped_meta: meta, againInSeconds: RETRY_SECONDS },
  )
}

/** Longer than reading a site takes: after this the read counts as failed. */
export const READ_TIMEOUT_SECONDS = 900

/** Reads the workspace's own site into its profile and its knowledge base. */
export const readCompanyProfile = defineJob<{ workspace_id: string }>({
  name: 'read-company-profile',
  timeout: READ_TIMEOUT_SECONDS,
  onLost: (deps, { workspace_id }) => saveReadFailure(deps, workspace_id, LOST_WORKER_MESSAGE),
  run: (deps, { workspace_id }, { signal }) => readProfile(deps, workspace_id, signal),
})

/** Enqueues reads that are due: of domains set on the command line, and retries after a failure or a killed worker. */
export const readDueProfiles = defineJob({
  name: 'read-due-company-profiles',
  schedule: '* * * * *',
  atStart: true,
  run: ({ db, jobs }) =>
    db.transaction().execute(async (db) => {
      for (const workspace_id of await claimDueProfiles(db, READ_TIMEOUT_SECONDS)) {
        await jobs.enqueue(db, readCompanyProfile, { workspace_id })
      }
    }),
})
