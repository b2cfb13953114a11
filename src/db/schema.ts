import type { ColumnType, Generated } from 'kysely'
import type { EventDetails } from '../engine/claim/index.ts'
import type { DealRole } from '../engine/signals/index.ts'
import type { Accounts } from './account-tables.ts'
import type { AlertDeliveries, AlertItems, AlertRuleOptOuts, AlertRules, Alerts } from './alert-tables.ts'
import type { AuditTables } from './audit-tables.ts'
import type { JsonColumn, NullableTimestamp, TimestampColumn } from './columns.ts'
import type {
  Companies,
  CompanyFacetsTable,
  ImportChunks,
  Imports,
  RunCandidates,
  RunUnresolved,
} from './company-tables.ts'
import type {
  ChatInteractions,
  Connections,
  CrmActivities,
  CrmCompanies,
  CrmContacts,
  CrmSyncs,
  OauthStates,
  PulledCompanies,
  PulledContacts,
  PulledDeals,
  PulledOwners,
} from './crm-tables.ts'
import type { AccountBoards, HiringSnapshots, Openings } from './hiring-tables.ts'
import type {
  ApiKeys,
  MemberIdentities,
  MemberProfiles,
  Members,
  Sessions,
  SignInAttempts,
  SignInLinks,
  TokenWorkspaces,
} from './member-tables.ts'
import type { MonitorEvents, Monitors, RobotsFiles, WatchedPages } from './monitor-tables.ts'
import type {
  AccountRosters,
  ErasureScopes,
  Lookups,
  People,
  PeopleListMembers,
  PeopleLists,
  PeopleSearches,
  PeopleSearchHits,
  PeopleSuppressions,
  PersonJobs,
  PersonMoves,
  RoleLookups,
} from './people-tables.ts'
import type { PushTables } from './push-tables.ts'
import type { RelationTables } from './relation-tables.ts'
import type { StreamFeeds, StreamItems } from './stream-tables.ts'
import type { AccountTechnologies, TechnologyLooks } from './technology-tables.ts'
import type { WorkItemTables } from './work-item-tables.ts'

export type {
  AccountSource,
  AccountStatus,
  CrmFieldValue,
  Firmographics,
  Relationship,
  ScoreComponent,
} from './account-tables.ts'
export type { CrmAccountRule, CrmProblemKind } from './crm-tables.ts'
export type { EmailSource, JobLevel, MoveKind, MoveSource, PersonSource, RosterSource } from './people-tables.ts'
export type { PushChannel, PushRecordType, RowOutcomes } from './push-tables.ts'
export type { RegisterName, RelationKind } from './relation-tables.ts'

type Workspaces = {
  id: string
  name: string
  domain: string | null
  /** Null: EMAIL_VERIFY_FROM applies. */
  email_verify_from: string | null
  /** Whether members with scoped visibility claim accounts without an owner by activating them. */
  scoped_members_claim: Generated<boolean>
  /** After how many months a lost deal is due for another try. */
  lost_deal_months: Generated<number>
  /** Incremented by every erasure: earlier redactions are compared with it. */
  erasures: Generated<string>
  created_at: TimestampColumn
}

type McpUses = {
  workspace_id: string
  last_used_at: string
}

type Installation = {
  one: Generated<boolean>
  workspace_id: string
  secrets_key_check: Buffer
  /** When the first browser signed in; null until then. */
  signed_in_at: NullableTimestamp
  /** The last backup to BACKUP_TARGET, and the last failure if it came later. */
  backed_up_at: NullableTimestamp
  backup_failed_at: NullableTimestamp
  backup_error: string | null
}

/** A key that encrypts stored secrets, itself encrypted with one of the accepted SECRETS_KEYs. */
type SecretKeys = {
  name: string
  /** Identifies the SECRETS_KEY. */
  master_check: Buffer
  key_sealed: Buffer
  /** New values are encrypted with the latest data key that is active. */
  active_at: TimestampColumn
}

type Subscriptions = {
  workspace_id: string
  status: 'active' | 'inactive'
  account_limit: number
  period_start: TimestampColumn
  period_end: TimestampColumn
  credits_used: Generated<number>
  /** Since then every credit is recorded in `credits_taken`. */
  counted_since: TimestampColumn
}

type CreditsTaken = { workspace_id: string; taken_at: TimestampColumn }

/** Periods that have ended. */
type SubscriptionPeriods = {
  workspace_id: string
  period_start: TimestampColumn
  period_end: TimestampColumn
  account_limit: number
  credits_used: number
}

type KnowledgeSections = {
  workspace_id: string
  id: string
  type: string
  title: string
  content_md: string
  source_url: string | null
  is_ai_generated: Generated<boolean>
  /** The sentences it was drafted from. */
  drawn_from: ColumnType<{ url: string; sentence: string }[], string | undefined, string>
  position: number
  created_at: TimestampColumn
}

/** Counts edits. `applied`: edits that scores and drafts include. `edited_at`: time of the first edit they do not include. */
type KnowledgeRevisions = {
  workspace_id: string
  revision: number
  applied: Generated<number>
  edited_at: TimestampColumn
}

type ProofColumn = {
  customer: string
  result: string
  industry: string | null
  min_employees: number | null
  max_employees: number | null
}

type CompanyProfiles = {
  workspace_id: string
  name: string | null
  /** A name that a member has set is not overwritten by reading the site. */
  is_name_set: Generated<boolean>
  products: ColumnType<string[], string | undefined, string>
  proofs: ColumnType<ProofColumn[], string | undefined, string>
  domain: string | null
  /** Other domains that redirect to its site. */
  aliases: Generated<string[]>
  logo_url: string | null
  business_context: string | null
  scraped_meta: JsonColumn<Record<string, unknown>>
  /** When the company's website is read next; null when nothing is scheduled. */
  due_at: NullableTimestamp
  /** The current reading, or the last one; it is running while it has no end. */
  refresh_started_at: NullableTimestamp
  refresh_ended_at: NullableTimestamp
  refresh_pages: ColumnType<{ url: string; title: string | null }[], string | undefined, string>
  updated_at: TimestampColumn
}

/** The last draft for a section type. */
type KnowledgeDrafts = {
  workspace_id: string
  type: string
  section_id: string
  hash: Buffer
}

type NotificationSettings = {
  workspace_id: string
  webhook_url_sealed: Buffer | null
  webhook_secret_sealed: Buffer | null
  /** Why the last alert could not be delivered, for display; null while deliveries succeed. */
  webhook_problem: string | null
  webhook_enabled: boolean
  chat_channel: Generated<string>
  chat_enabled: boolean
  notify_realtime: boolean
  notify_suggested: boolean
  notify_job_changes: Generated<boolean>
}

type Signals = {
  workspace_id: string
  id: string
  name: string
  description: string
  is_builtin: boolean
  enabled: boolean
  created_at: TimestampColumn
  updated_at: TimestampColumn
  /** When the current description was set. */
  described_at: TimestampColumn
}

type CustomSignalExamples = {
  workspace_id: string
  id: string
  signal_id: string
  sentence: string
  verdict: FeedbackVerdict
  confidence: number | null
  marked_by: string | null
  created_at: TimestampColumn
}

type IdempotencyKeys = {
  workspace_id: string
  member_id: string
  key: string
  request_hash: Buffer
  status: number | null
  answer_sealed: Buffer | null
  /** The ids of people in the response. */
  people: Generated<string[]>
  /** The id of the request that does the work; only it may write the response. */
  claim: string
  lease_until: TimestampColumn
  created_at: TimestampColumn
}

/** A message to a person, or the reason why there is none. */
export type StoredDraft = {
  to: { full_name: string; title: string | null } | null
  message: { subject: string; body: string; short_message: string; call_opener: string } | null
  is_signed: boolean
  note: string | null
  /** When a member edited it last: drafts that were edited are not redrafted. */
  edited_at?: string
}

export type StoredEvidence = {
  claim: string
  /** The sentence of the source; null for findings that were not read from a text. */
  quote: string | null
  /** The fields extracted from the sentence; null where nothing was extracted. */
  details: EventDetails | null
  source_url: string | null
  published_date: string | null
  /** The classifier that decided: a version of its weights, the name of a language model, or null where no classification was needed. */
  judged_by: string | null
  /** The side of the deal on which the company is, where the sentence states it. */
  role?: DealRole | undefined
}

export type FeedbackVerdict = 'right' | 'wrong'

type SignalDetections = {
  workspace_id: string
  id: string
  account_id: string
  signal_id: string
  signal_present: boolean
  alpha: number
  icp_fit: number
  detected_at: string
  headline: string | null
  narrative: string | null
  why_reach_out_md: string | null
  drafted_message_md: string | null
  /** Null where the signal is absent, and before the first draft. */
  draft: ColumnType<StoredDraft | null, string | null | undefined, string | null>
  /** The recipient, if they are one of the people of the account. */
  draft_person_id: Generated<string | null>
  evidence: ColumnType<StoredEvidence[], string | undefined, string>
  key_facts: Generated<string[]>
  personas: Generated<string[]>
  sources: Generated<string[]>
  /** The names of the sources of the evidence, written by a trigger. */
  source_names: ColumnType<string[], never, never>
  confidence: Generated<number>
  /** Hash of the texts as the service drafted them; null after they were edited. */
  draft_hash: string | null
  run_id: string | null
  /** The feedback of a member; null when there is none. */
  verdict: Generated<FeedbackVerdict | null>
  verdict_reason: Generated<string | null>
  verdict_by: Generated<string | null>
  verdict_at: NullableTimestamp
  /** The number of proofs at the time of the feedback: later proofs were not judged. */
  verdict_proofs: Generated<number | null>
  /** Present and not marked wrong. Only such detections are shown and delivered. */
  is_shown: ColumnType<boolean, never, never>
  created_at: TimestampColumn
}

type ModelReadings = {
  workspace_id: string
  key: string
  events: JsonColumn<{ signal_id: string; quote: string; claim: string; date: string | null }[]>
  unproven: number
  verdict: 'confirmed' | 'refuted' | 'unproven' | null
  read_at: TimestampColumn
}

type SecondReadings = { workspace_id: string; day: string; wanted: number }

type Judgements = { workspace_id: string; key: string; logits: Buffer; judged_at: TimestampColumn }

/** The result of the last call of a provider; kind and message are null while it works. */
type ProviderHealth = {
  provider: string
  kind: 'refused' | 'quota' | 'unavailable' | 'unreadable' | null
  message: string | null
  /** When the current state, working or failing, began. */
  since: TimestampColumn
  failed_at: NullableTimestamp
  ok_at: NullableTimestamp
}

type Readings = { workspace_id: string; version: string; begun_at: TimestampColumn }

type ListVersions = {
  workspace_id: string
  list: 'accounts' | 'people' | 'detections'
  slot: number
  version: number
  /** For accounts: the number added to each kind of account, in the order of list-versions.ts; it can be negative. */
  counts: number[] | null
}

type Runs = {
  workspace_id: string
  id: string
  signal_id: string | null
  name: string
  mode: 'discovery' | 'monitor' | 'both'
  status: 'running' | 'done' | 'failed'
  spec: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>
  stats: ColumnType<Record<string, unknown>, string | undefined, string>
  failure: string | null
  timeframe_days: number | null
  /** The account of a scan. */
  account_id: string | null
  started_at: TimestampColumn
  finished_at: NullableTimestamp
  /** The last time a worker made progress; null before the first. */
  touched_at: NullableTimestamp
  created_at: TimestampColumn
}

type RunTasks = {
  workspace_id: string
  run_id: string
  signal_id: string
  state: 'pending' | 'found' | 'absent' | 'failed'
}

type Documents = {
  workspace_id: string
  id: string
  account_id: string
  url: string
  kind: 'page' | 'article' | 'posting' | 'filing' | 'mention'
  /** The provider of the document. */
  source: string
  title: string | null
  text: string
  published_date: string | null
  /** How the date was found: structured metadata, byline, URL. Null where the source gives the date. */
  published_by: string | null
  /** Two-letter language code; null when it was not detected. */
  language: string | null
  /** Signals that the kind of document proves. */
  tells: JsonColumn<{ signal_id: string; claim: string }[]> | null
  hash: Buffer
  read_at: TimestampColumn
  created_at: TimestampColumn
}

type OtherTables = {
  workspaces: Workspaces
  mcp_uses: McpUses
  installation: Installation
  secret_keys: SecretKeys
  member_profiles: MemberProfiles
  members: Members
  api_keys: ApiKeys
  member_identities: MemberIdentities
  sessions: Sessions
  sign_in_attempts: SignInAttempts
  sign_in_links: SignInLinks
  token_workspaces: TokenWorkspaces
  subscriptions: Subscriptions
  credits_taken: CreditsTaken
  subscription_periods: SubscriptionPeriods
  knowledge_sections: KnowledgeSections
  knowledge_revisions: KnowledgeRevisions
  company_profiles: CompanyProfiles
  notification_settings: NotificationSettings
  signals: Signals
  custom_signal_examples: CustomSignalExamples
  idempotency_keys: IdempotencyKeys
  accounts: Accounts
  account_technologies: AccountTechnologies
  technology_looks: TechnologyLooks
  judgements: Judgements
  model_readings: ModelReadings
  second_readings: SecondReadings
  readings: Readings
  provider_health: ProviderHealth
  signal_detections: SignalDetections
  monitor_events: MonitorEvents
  monitors: Monitors
  watched_pages: WatchedPages
  robots_files: RobotsFiles
  people: People
  people_lists: PeopleLists
  people_list_members: PeopleListMembers
  people_suppressions: PeopleSuppressions
  erasure_scopes: ErasureScopes
  people_searches: PeopleSearches
  people_search_hits: PeopleSearchHits
  role_lookups: RoleLookups
  person_jobs: PersonJobs
  person_moves: PersonMoves
  account_rosters: AccountRosters
  lookups: Lookups
  list_versions: ListVersions
  runs: Runs
  run_tasks: RunTasks
  documents: Documents
  account_boards: AccountBoards
  openings: Openings
  hiring_looks: HiringSnapshots
  connections: Connections
  alert_rules: AlertRules
  alert_rule_opt_outs: AlertRuleOptOuts
  alerts: Alerts
  alert_items: AlertItems
  alert_deliveries: AlertDeliveries
  knowledge_drafts: KnowledgeDrafts
  company_facets: CompanyFacetsTable
  companies: Companies
  imports: Imports
  import_chunks: ImportChunks
  run_candidates: RunCandidates
  run_unresolved: RunUnresolved
  stream_feeds: StreamFeeds
  stream_items: StreamItems
  oauth_states: OauthStates
  crm_companies: CrmCompanies
  crm_contacts: CrmContacts
  chat_interactions: ChatInteractions
  crm_activities: CrmActivities
  crm_syncs: CrmSyncs
  pulled_owners: PulledOwners
  pulled_companies: PulledCompanies
  pulled_contacts: PulledContacts
  pulled_deals: PulledDeals
}

export type Database = AuditTables & PushTables & RelationTables & WorkItemTables & OtherTables
