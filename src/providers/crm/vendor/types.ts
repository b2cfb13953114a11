import type { Outbound } from '../../../outbound/client.ts'
import type { ValuesOf, Variables } from '../../../shared/config-values.ts'

export type CrmObject = 'company' | 'contact'

/**
 * Field names of the service; each vendor maps them to its names. A field that people also fill is written only when it is
 * empty or has the value the service wrote; a field that only the service fills is always written.
 */
export const SHARED_FIELDS = {
  company: ['name', 'domain', 'employees', 'industry', 'country', 'description'],
  contact: ['email', 'first_name', 'last_name', 'title', 'phone', 'country'],
} as const
export const OWNED_FIELDS = {
  company: ['profile_url', 'score', 'why_now', 'signals', 'evidence', 'last_signal_on'],
  contact: ['profile_url', 'job_level', 'match_tier'],
} as const

export type FieldName = (typeof SHARED_FIELDS)[CrmObject][number] | (typeof OWNED_FIELDS)[CrmObject][number]
export type FieldValues = Partial<Record<FieldName, string | null>>

export type FieldType = 'text' | 'number' | 'date'
const OTHER_TYPES: Partial<Record<FieldName, FieldType>> = {
  employees: 'number',
  score: 'number',
  match_tier: 'number',
  last_signal_on: 'date',
}
export const fieldType = (field: FieldName): FieldType => OTHER_TYPES[field] ?? 'text'

/** A CRM requires them, or a later push finds the record by them: they have one place and are always written. */
export const FIXED_FIELDS: Record<CrmObject, ReadonlySet<FieldName>> = {
  company: new Set<FieldName>(['name', 'domain']),
  contact: new Set<FieldName>(['email', 'last_name', 'profile_url']),
}

/** The field of the CRM that each field is written to. A field without one is not written. */
export type FieldTargets = Record<CrmObject, Partial<Record<FieldName, string>>>

/** What a workspace changed of the vendor's targets; null: the field is not written. */
export type FieldMapping = Partial<Record<CrmObject, Partial<Record<FieldName, string | null>>>>

/** A field of the CRM. */
export type VendorField = {
  name: string
  label: string
  /** null: the service cannot write it, for instance because it is calculated or a closed list. */
  type: FieldType | null
  max_length: number | null
}

/** The fields a record is searched by. `key` is the id of the service, in a unique field the service manages. */
export type LookupBy = 'id' | 'key' | 'email' | 'profile_url' | 'domain'

/** A record in the CRM. An empty field is null. */
export type ExistingRecord = { id: string; key: string | null; company_id: string | null; values: FieldValues }

export type RecordChange = {
  /** The id of the record in the service, and the key it is created with. */
  key: string
  /** The record to change; null creates it, or changes the one that has the key. */
  id: string | null
  values: FieldValues
  /** Whether to write the key into a record that the service did not create. */
  writeKey: boolean
  /** The company a contact is associated with. */
  company_id: string | null
}

/** The result of one change. */
export type WriteResult =
  | { key: string; ok: true; id: string; created: boolean }
  | ({ key: string; ok: false } & RowProblem)

export type RowProblem = {
  /**
   * gone: the record was deleted. taken: another record has a unique value. refused: the CRM does not accept it. busy:
   * another attempt may succeed.
   */
  kind: 'gone' | 'taken' | 'refused' | 'busy'
  status: number | null
  /** A sentence for a salesperson. */
  message: string
  /** The record that has the value. */
  existing?: string
  /** The unique field, if the CRM names it. */
  unique?: FieldName | 'key'
  /** The refused fields, if the CRM names them. */
  fields?: FieldName[]
}

/** A note for a salesperson and a task to act on it. */
export type Activity = {
  /** An id of the service. An activity with the same key is written once. */
  key: string
  /** Ids of records in the CRM. */
  company_id: string
  contact_id: string | null
  /** Who is to do the task, as an id of the CRM; null leaves it to the CRM. */
  owner_id: string | null
  /** The subject of the task. */
  title: string
  /** Plain text; the vendor encodes it in its format. */
  text: string
  /** `YYYY-MM-DD`. */
  due_on: string
  /** The moment of the hand-over, in ISO 8601. */
  logged_at: string
}

export type LoggedActivity = {
  /** The record with the text: the task itself where one record has both. */
  note_id: string
  task_id: string
  /** false: all of it was there. */
  created: boolean
}

export const PULLED_OBJECTS = ['company', 'contact', 'deal'] as const
export type PulledObject = (typeof PULLED_OBJECTS)[number]

/** A user of the CRM who owns records. */
export type PulledOwner = { id: string; name: string | null; email: string | null; is_active: boolean }

type PulledRecord = {
  id: string
  /** When it was last changed, by the clock of the vendor, in ISO 8601. */
  modified_at: string
  owner_id: string | null
  /** Ids of records that were merged into this one, where the vendor lists them here. */
  merged_ids: string[]
}
export type PulledCompany = PulledRecord & {
  name: string
  /** The domain or website as people typed it. */
  website: string | null
  employees: number | null
  industry: string | null
  country: string | null
  description: string | null
  /** The CRM itself marks it as a customer. */
  is_customer: boolean
  /** The CRM itself marks it as a company that is no longer a customer. */
  is_former_customer: boolean
}
export type PulledContact = PulledRecord & {
  company_id: string | null
  first_name: string | null
  last_name: string | null
  email: string | null
  title: string | null
  phone: string | null
  country: string | null
}
export type PulledDeal = PulledRecord & {
  name: string
  company_id: string | null
  contact_ids: string[]
  /** The name of the stage. */
  stage: string | null
  amount: number | null
  currency: string | null
  is_closed: boolean
  is_won: boolean
  lost_reason: string | null
  /** `YYYY-MM-DD`: the day it closed, or on which it is expected to. */
  closes_on: string | null
  opened_on: string | null
}
export type PulledOf = { company: PulledCompany; contact: PulledContact; deal: PulledDeal }

export type PulledPage<Record> = {
  records: Record[]
  /** Records that were deleted, or merged into another. A merged one may follow again without the record it became. */
  gone: { id: string; merged_into: string | null }[]
  /** Where the next page begins, in the vendor's own format. Reading a page again gives the same records or newer ones. */
  position: string
  /** Nothing more for now: a later call with this position reads what has changed since. */
  is_last: boolean
  /** The object may not be read, or no longer: nothing was read. */
  is_unreadable?: true
}

/**
 * The reading side of a CRM: what a new vendor implements. Its functions throw CrmError, except for a missing right: an
 * object that may not be read has no records and keeps its position.
 */
export type CrmReader = {
  /** What the connection may not read, each as a sentence that names the missing right; empty: everything. */
  missingRights: () => Promise<string[]>
  /** null: they may not be read. */
  listOwners: () => Promise<PulledOwner[] | null>
  /** The next page: of all records when the position is null, then of changes and deletions. */
  readPage: <O extends PulledObject>(object: O, position: string | null) => Promise<PulledPage<PulledOf[O]>>
  /** Calls left of the limit that the last responses stated; null when none did. */
  callsLeft: () => { left: number; limit: number } | null
}

/** A connected account of a CRM. Its functions throw CrmError. */
export type Crm = {
  label: string
  targets: FieldTargets
  /** The targets without a mapping. */
  defaultTargets: FieldTargets
  /** All fields of the CRM, also those of the service that exist. */
  listFields: (object: CrmObject) => Promise<VendorField[]>
  /** Creates the fields the service manages and makes them visible, unless they exist. */
  prepare: () => Promise<void>
  /** `present` are the names of the fields the CRM has, for a search before `prepare`: the others count as empty. */
  find: (object: CrmObject, by: LookupBy, values: string[], present?: ReadonlySet<string>) => Promise<ExistingRecord[]>
  /** Writes records in calls as large as the vendor accepts. Each record occurs once, and each change has a result. */
  write: (object: CrmObject, changes: RecordChange[]) => Promise<WriteResult[]>
  /** Writes the note and the task unless the company has them, also when the result of a former call was lost. */
  logActivity: (activity: Activity) => Promise<LoggedActivity>
  reader: CrmReader
}

/** The origin and the token of one account. */
export type CrmSession = {
  /** The account at the vendor, not an account of the service. */
  vendorAccount: string
  base: () => string
  /** A token that does not expire soon. */
  token: () => Promise<string>
  /** Replaces a token the vendor refused. Throws CrmError auth when it cannot be renewed. */
  renew: (refused: string) => Promise<string>
}

export type CrmAccess = { outbound: Outbound; session: CrmSession; signal: AbortSignal }

/** The OAuth endpoints of a vendor. */
export type OauthServer = {
  authorize: string
  token: string
  scope: string
  /** Error codes for a refused grant and a refused client, in addition to those of the standard. */
  refusals?: { grant: RegExp; client: RegExp }
}

/** The API of a vendor. It may cache facts about an account, such as its rate limit. */
export type CrmApi = {
  /** Tests the credential with a cheap call and returns its account. Throws CrmError. */
  identify: (access: CrmAccess) => Promise<string>
  open: (access: CrmAccess, mapping?: FieldMapping) => Crm
}

/** The origin of an account, for vendors with one for each account. */
export type AccountOrigin = {
  hosts: RegExp
  /** Its name, completing "the …". */
  name: string
  example: string
  /** The field of the token response that contains it. */
  grantField: string
}

export type CrmVendor<Id extends string, V extends Variables> = {
  /** Its id in the API. */
  id: Id
  /** The name people use. */
  label: string
  /** The kind of token that connects it without consent, such as "a service key". */
  tokenName: string
  /** For the documentation of the API. */
  example: { vendorAccount: string; token: string; consentUrl: string }
  /** Maximum lengths of fields that are shorter than values of the service may be. */
  maxLengths: Partial<Record<FieldName, number>>
  /** Its environment variables. */
  variables: V
  oauth: {
    /** The variables with the OAuth client. */
    client: { id: keyof V; secret: keyof V }
    server: (config: ValuesOf<V>) => OauthServer
  }
  /** The origin of the API: one for all accounts, or one for each account. */
  origin: string | AccountOrigin
  /** CrmClients calls it once for a process, so that caches are shared; a test of a credential creates a separate API. */
  create: () => CrmApi
}

export type CrmErrorKind =
  /** The credential is not accepted or lacks rights: a person must connect again. */
  | 'auth'
  /** A quota of calls is used up for hours. */
  | 'quota'
  /** The vendor cannot respond at the moment, or responds in an unexpected shape. */
  | 'busy'
  /** A field the service manages is missing. */
  | 'schema'
  | 'refused'

/** A failed call to a CRM. Its message is a sentence for a salesperson. */
export class CrmError extends Error {
  readonly kind: CrmErrorKind
  readonly status: number | null
  /** How long the vendor asks to wait, where that is too long to wait for. */
  readonly retryAfterSeconds: number

  constructor(
    kind: CrmErrorKind,
    message: string,
    {
      status = null,
      cause,
      retryAfterSeconds = 0,
    }: { status?: number | null; cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'CrmError'
    this.kind = kind
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}
