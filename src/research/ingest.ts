import type { Db } from '../db/connect.ts'
import { canNotify, notifyFindings } from '../db/notifications.ts'
import { queueAlert } from '../delivery/alert.ts'
import type { Deps } from '../deps/deps.ts'
import type { TechnologySnapshot } from '../engine/technologies/index.ts'
import { assertErasuresUnchanged, type RedactedFindings, storeRedacted } from '../people/redact/redact-findings.ts'
import { countWorkforce } from '../people/workforce.ts'
import type { FoundFirmographics } from '../providers/types.ts'
import { type FoundStructure, saveStructure } from '../resources/account-relations/store.ts'
import { lockForAssessment } from '../resources/accounts/assessment-store.ts'
import { type BoardSnapshot, saveBoardSnapshot } from '../resources/accounts/hiring-store.ts'
import { updateFirmographics } from '../resources/accounts/store.ts'
import { type SourcedDocument, saveDocuments } from '../resources/documents/store.ts'
import { queueRewriting } from '../resources/drafts/redraft.ts'
import { lockDescriptions } from '../resources/signals/store.ts'
import { type AssessedAccount, assessAccount } from './assess.ts'
import { type ResearchContext, refreshContext } from './context.ts'
import type { Finding } from './detector.ts'
import { fillFromUniverse, isFromPerson, mergeFirmographics } from './profile.ts'
import { type RecordedFindings, recordFindings } from './record-findings.ts'
import { recordTechnologies } from './technologies.ts'

type Target = { workspace_id: string; account_id: string; run_id: string | null }

/** The results of research about an account; absent fields do not change. */
export type ResearchResult = {
  /** The company's profile by source, the most trusted first. */
  firmographics?: readonly FoundFirmographics[]
  /** The company's profile in the imported universe: it fills fields that no other source knows. */
  universe?: FoundFirmographics
  documents?: readonly SourcedDocument[]
  findings?: readonly Finding[]
  /** Products found on its pages and in its DNS records; pages that could not be read are absent. */
  technologies?: readonly TechnologySnapshot[]
  /** Its legal names and its related companies. */
  structure?: FoundStructure
  /** The signals that a complete pass would have shown: those without an event are stored as absent. */
  visible?: readonly string[]
  /** The open positions, where all job boards were read. */
  hiring?: BoardSnapshot
}

/** What to alert about: new detections of an active account, a new suggested account, or nothing. */
type Announce = 'detections' | 'account' | 'nothing'

/** `documents`: the ids of documents that are new or changed. */
export type Ingested = RecordedFindings & { documents: string[] }

/**
 * Stores the results of research about an account, assesses it and queues alerts, in the transaction of
 * `storeRedacted`. The account is locked first, so that concurrent calls are serialized and an event is never
 * stored twice. Idempotent. Returns null when the account does not exist.
 */
export async function ingest(
  deps: Deps,
  began: ResearchContext,
  { workspace_id, account_id, run_id }: Target,
  { found, state }: Pick<RedactedFindings<ResearchResult>, 'found' | 'state'>,
  announce: Announce,
): Promise<Ingested | null> {
  const { db, config, jobs } = deps
  const locked = await lockForAssessment(db, workspace_id, account_id)
  if (!locked) return null
  await assertErasuresUnchanged(db, workspace_id, account_id, state)
  const {
    firmographics,
    universe = {},
    documents = [],
    findings = [],
    technologies = [],
    visible = [],
    hiring,
    structure,
  } = found
  // The knowledge base may have been edited while the sources were read.
  const context = await refreshContext(deps, workspace_id, began)
  // Before the profile, which counts the open positions.
  if (hiring) await saveBoardSnapshot(db, workspace_id, account_id, hiring)
  const { used, adopted } = await recordTechnologies(db, workspace_id, locked, technologies, context.today)
  // Technologies that a source reports have precedence over those found on pages.
  const profile = used ? [...(firmographics ?? []), { technologies: used }] : firmographics
  const account = profile ? await applyProfile(deps, workspace_id, locked, profile, universe) : locked
  if (structure && structure.domain === locked.domain) await saveStructure(db, workspace_id, account_id, structure)
  const written = await saveDocuments(db, workspace_id, account_id, documents)
  // Adoptions of a disabled signal raise no detection; the technologies are stored nevertheless.
  const wanted = adopted.filter(({ signal_id }) => context.signals.some(({ id }) => id === signal_id))
  const former = await changedSince(db, workspace_id, began, findings)
  const current = [...findings.filter(({ signal_id }) => !former.has(signal_id)), ...wanted]
  const observable = visible.filter((id) => !former.has(id))
  const recorded = await recordFindings(db, workspace_id, account, run_id, current, context, observable)
  const { added, updated } = recorded
  // Last, because it increments the version of the list, which blocks other writers until the transaction ends.
  const { status } = await assessAccount(db, workspace_id, account, context, added)
  if (announce === 'detections' && status === 'active' && added.length > 0) {
    await queueAlert(deps, workspace_id, { type: 'signal.detected', account_id, run_id, detection_ids: added })
  }
  if (announce === 'account' && status === 'suggested' && run_id) {
    await queueAlert(deps, workspace_id, { type: 'account.suggested', run_id, account_ids: [account_id] })
  }
  const changed = [...added, ...updated]
  if (changed.length > 0 && canNotify(config.DATABASE_ENGINE)) await notifyFindings(db, workspace_id, account_id)
  await queueRewriting({ db, jobs, config }, workspace_id, changed)
  return { ...recorded, documents: written }
}

/**
 * The signals of the findings whose description was changed, or that were deleted, since the work started. They stay
 * locked until the transaction ends, so that a concurrent update waits and deletes what is stored here.
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

/** Redacts and ingests results, where nothing else is written in the same transaction. */
export function redactAndIngest(
  deps: Deps,
  began: ResearchContext,
  target: Target,
  discovered: ResearchResult,
  announce: Announce,
): Promise<Ingested | null> {
  const { workspace_id, account_id } = target
  return storeRedacted(deps, workspace_id, account_id, discovered, (db, redacted) =>
    ingest({ ...deps, db }, began, target, redacted, announce),
  )
}

/**
 * Stores the company's profile from the sources and the roster. Fields that a member set or a CRM provides do not change;
 * their researched values are stored separately.
 */
async function applyProfile(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  workspaceId: string,
  account: AssessedAccount,
  firmographics: readonly FoundFirmographics[],
  universe: FoundFirmographics,
): Promise<AssessedAccount> {
  const merged = mergeFirmographics(firmographics, now())
  const found = {
    ...merged,
    ...fillFromUniverse(account, merged, universe, now()),
    ...(await countWorkforce(db, workspaceId, account.id)),
  }
  const isKept = ([name]: [string, unknown]) => isFromPerson(account, name)
  const fields = Object.fromEntries(Object.entries(found).filter((one) => !isKept(one)))
  const known = Object.fromEntries(Object.entries(found).filter(isKept))
  const isKnown = Object.keys(known).length > 0
  const researched = isKnown ? { researched: JSON.stringify({ ...account.researched, ...known }) } : {}
  if (isKnown || Object.keys(fields).length > 0)
    await updateFirmographics(db, workspaceId, account.id, { ...fields, ...researched })
  return { ...account, ...fields }
}
