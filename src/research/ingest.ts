import type { Db } from '../db/connect.ts'
import { canNotify, notifyFindings } from '../db/notifications.ts'
import { queueAlert } from '../delivery/alerts/queue.ts'
import type { Deps } from '../deps/deps.ts'
import type { TechnologySnapshot } from '../engine/technologies/index.ts'
import { assertErasuresUnchanged, storeWithoutErased, type WithoutErased } from '../people/redact/found.ts'
import { readWorkforce } from '../people/workforce.ts'
import type { FoundFirmographics } from '../providers/types.ts'
import { type BoardLook, saveLook } from '../resources/accounts/hiring-store.ts'
import { lockForAssessment, updateFirmographics } from '../resources/accounts/store.ts'
import { type SourcedDocument, saveDocuments } from '../resources/documents/store.ts'
import { lockDescriptions } from '../resources/signals/store.ts'
import { type AssessedAccount, assess } from './assess.ts'
import { type ResearchContext, upToDate } from './context.ts'
import { rewriteDetectionTexts } from './drafts/rewrite-texts.job.ts'
import type { Finding } from './find-signals.ts'
import { profileFrom } from './profile.ts'
import { type Recorded, recordFindings } from './record.ts'
import { recordTechnologies } from './technologies.ts'
import { fillFromUniverse } from './universe-profile.ts'

type Target = { workspace_id: string; account_id: string; run_id: string | null }

/** What was found out about an account; what is left out stays as it is. */
export type Discovered = {
  /** What each source says the company is like, the most trusted first. */
  firmographics?: readonly FoundFirmographics[]
  /** What the imported universe says the company is like: it fills what nothing else knows. */
  universe?: FoundFirmographics
  documents?: readonly SourcedDocument[]
  findings?: readonly Finding[]
  /** What its pages and name records show it uses; those that could not be read are left out. */
  technologies?: readonly TechnologySnapshot[]
  /** Of a pass over everything, the signals it could have seen: without an event they are kept as absent. */
  visible?: readonly string[]
  /** What the job boards list, where all of them were read. */
  hiring?: BoardLook
}

/** Whom to alert: of new detections at an active account, of an account that is new and suggested, or nobody. */
type Announce = 'detections' | 'account' | 'nothing'

/** `documents`: the ids of those that are new, or say something else than before. */
export type Ingested = Recorded & { documents: string[] }

/**
 * Stores what was found out about an account, assesses it anew and has people alerted, in the transaction of
 * `storeWithoutErased`. The account is locked first and assessed once: of two that ingest at the same time, one waits for the
 * other, so an event is never stored twice. The same again adds nothing. Answers null when the account is gone.
 */
export async function ingest(
  deps: Deps,
  began: ResearchContext,
  { workspace_id, account_id, run_id }: Target,
  { found, state }: Pick<WithoutErased<Discovered>, 'found' | 'state'>,
  announce: Announce,
): Promise<Ingested | null> {
  const { db, config, jobs } = deps
  const locked = await lockForAssessment(db, workspace_id, account_id)
  if (!locked) return null
  await assertErasuresUnchanged(db, workspace_id, account_id, state)
  const { firmographics, universe = {}, documents = [], findings = [], technologies = [], visible = [], hiring } = found
  // What was read took a while, and the knowledge base may have been edited meanwhile.
  const context = await upToDate(deps, workspace_id, began)
  const { used, adopted } = await recordTechnologies(db, workspace_id, locked, technologies, context.today)
  // What a source says it uses counts before what its pages show.
  const profile = used ? [...(firmographics ?? []), { technologies: used }] : firmographics
  const account = profile ? await applyProfile(deps, workspace_id, locked, profile, universe) : locked
  const written = await saveDocuments(db, workspace_id, account_id, documents)
  if (hiring) await saveLook(db, workspace_id, account_id, hiring)
  // Whoever has switched the signal off is told nothing; what is used is kept all the same.
  const wanted = adopted.filter(({ signal_id }) => context.signals.some(({ id }) => id === signal_id))
  const former = await changedSince(db, workspace_id, began, findings)
  const current = [...findings.filter(({ signal_id }) => !former.has(signal_id)), ...wanted]
  const looked = visible.filter((id) => !former.has(id))
  const recorded = await recordFindings(db, workspace_id, account, run_id, current, context, looked)
  const { added, updated } = recorded
  // Last: it raises the version of the list, and whoever does that holds up others until the transaction ends.
  const { status } = await assess(db, workspace_id, account, context)
  if (announce === 'detections' && status === 'active' && added.length > 0) {
    await queueAlert(deps, workspace_id, { type: 'signal.detected', account_id, run_id, detection_ids: added })
  }
  if (announce === 'account' && status === 'suggested' && run_id) {
    await queueAlert(deps, workspace_id, { type: 'account.suggested', run_id, account_ids: [account_id] })
  }
  const changed = [...added, ...updated]
  if (changed.length > 0 && canNotify(config.DATABASE_ENGINE)) await notifyFindings(db, workspace_id, account_id)
  if (config.LLM_BASE_URL && changed.length > 0) {
    await jobs.enqueue(db, rewriteDetectionTexts, { workspace_id, detection_ids: changed })
  }
  return { ...recorded, documents: written }
}

/**
 * The signals of these findings whose description was changed, or that were deleted, since the work began. They stay locked
 * until the transaction ends, so that a concurrent update waits and deletes what is stored here.
 */
async function changedSince(
  db: Db,
  workspaceId: string,
  { signals }: ResearchContext,
  findings: readonly { signal_id: string }[],
): Promise<Set<string>> {
  const found = new Set(findings.map(({ signal_id }) => signal_id))
  const described = signals.filter(({ id, is_builtin }) => !is_builtin && found.has(id))
  if (described.length === 0) return new Set()
  const ids = described.map(({ id }) => id)
  const current = await lockDescriptions(db, workspaceId, ids)
  return new Set(described.flatMap(({ id, description }) => (current.get(id) === description ? [] : id)))
}

/** Redacts what was found out and ingests it, where nothing else is written in the same transaction. */
export function redactAndIngest(
  deps: Deps,
  began: ResearchContext,
  target: Target,
  discovered: Discovered,
  announce: Announce,
): Promise<Ingested | null> {
  const { workspace_id, account_id } = target
  return storeWithoutErased(deps, workspace_id, account_id, discovered, (db, redacted) =>
    ingest({ ...deps, db }, began, target, redacted, announce),
  )
}

/** Stores what the sources and the roster say the company is like. What a person has set stays, with what is known beside it. */
async function applyProfile(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  workspaceId: string,
  account: AssessedAccount,
  firmographics: readonly FoundFirmographics[],
  universe: FoundFirmographics,
): Promise<AssessedAccount> {
  const told = profileFrom(firmographics, now())
  const found = {
    ...told,
    ...fillFromUniverse(account, told, universe, now()),
    ...(await readWorkforce(db, workspaceId, account.id)),
  }
  const isOverridden = ([name]: [string, unknown]) => account.overridden.includes(name)
  const fields = Object.fromEntries(Object.entries(found).filter((one) => !isOverridden(one)))
  const known = Object.fromEntries(Object.entries(found).filter(isOverridden))
  const isKnown = Object.keys(known).length > 0
  const researched = isKnown ? { researched: JSON.stringify({ ...account.researched, ...known }) } : {}
  if (isKnown || Object.keys(fields).length > 0)
    await updateFirmographics(db, workspaceId, account.id, { ...fields, ...researched })
  return { ...account, ...fields }
}
