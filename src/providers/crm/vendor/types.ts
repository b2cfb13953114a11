import type { Outbound } from '../../../outbound/client.ts'
import type { ValuesOf, Variables } from '../../../shared/config-values.ts'

export type CrmObject = 'company' | 'contact'

/**
 * Fields by the names the service uses; a vendor maps them to its own. What people fill too is written only where it is
 * empty or still holds what the service wrote; the service's own fields are always written.
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

/** What a record can be found by. `key` is the service's own id of it, in a unique field the service manages. */
export type LookupBy = 'id' | 'key' | 'email' | 'profile_url' | 'domain'

/** A record as it is in the CRM. Empty is null. */
export type ExistingRecord = { id: string; key: string | null; company_id: string | null; values: FieldValues }

export type RecordChange = {
  /** The service's own id of the record, and the key it is created under. */
  key: string
  /** The record to change; null creates it, or changes the one that has the key already. */
  id: string | null
  values: FieldValues
  /** Whether to write the key into a record that the service did not create. */
  writeKey: boolean
  /** The company a contact is put to. */
  company_id: string | null
}

/** What became of one change. */
export type WriteResult =
  | { key: string; ok: true; id: string; created: boolean }
  | ({ key: string; ok: false } & RowProblem)

export type RowProblem = {
  /**
   * gone: the record is no longer there. taken: another record holds a unique value. refused: the CRM will not have it.
   * busy: worth another attempt.
   */
  kind: 'gone' | 'taken' | 'refused' | 'busy'
  status: number | null
  /** A sentence for a salesperson. */
  message: string
  /** The record that holds the value. */
  existing?: string
  /** What of it is taken, where the CRM says so. */
  unique?: FieldName | 'key'
  /** The fields the CRM complains about, where it says so. */
  fields?: FieldName[]
}

/** A connected account of a CRM. All three throw CrmError. */
export type Crm = {
  label: string
  /** What it has a place for. */
  fields: Record<CrmObject, ReadonlySet<FieldName>>
  /** Creates the fields the service manages and makes them visible; does nothing where they are there. */
  prepare: () => Promise<void>
  find: (object: CrmObject, by: LookupBy, values: string[]) => Promise<ExistingRecord[]>
  /** Writes records, in calls as large as the vendor takes. A record comes once; every change has its own outcome. */
  write: (object: CrmObject, changes: RecordChange[]) => Promise<WriteResult[]>
}

/** The way to one account: where it is and what opens it. */
export type CrmSession = {
  /** The account at the vendor; never one of the service's own accounts. */
  vendorAccount: string
  base: () => string
  /** A token that is good for a moment at least. */
  token: () => Promise<string>
  /** Another token in place of one the vendor refused. Throws CrmError auth when there is none. */
  renew: (refused: string) => Promise<string>
}

export type CrmAccess = { outbound: Outbound; session: CrmSession; signal: AbortSignal }

/** A vendor's side of OAuth. */
export type OauthServer = {
  authorize: string
  token: string
  scope: string
  /** Its own words for a grant and for a client it does not accept, beside those of the standard. */
  refusals?: { grant: RegExp; client: RegExp }
}

/** The API of a vendor. It may keep what it learns of an account, such as how many calls are allowed. */
export type CrmApi = {
  /** Tries the credential with a cheap call and answers which account it opens. Throws CrmError. */
  identify: (access: CrmAccess) => Promise<string>
  open: (access: CrmAccess) => Crm
}

/** What the address of an account looks like at a vendor that has one for each. */
export type AccountOrigin = {
  hosts: RegExp
  /** What people call it, completing "the …". */
  name: string
  example: string
  /** The field of the answer to a token request that holds it. */
  grantField: string
}

export type CrmVendor<Id extends string, V extends Variables> = {
  /** What the API calls it. */
  id: Id
  /** What people call it. */
  label: string
  /** What people connect with who give no consent, such as "a service key". */
  tokenName: string
  /** For the documentation of the API. */
  example: { vendorAccount: string; token: string; consentUrl: string }
  /** Characters a field holds, where it holds fewer than the service may have. */
  maxLengths: Partial<Record<FieldName, number>>
  /** The environment variables that are its own. */
  variables: V
  oauth: {
    /** The variables that hold the OAuth client. */
    client: { id: keyof V; secret: keyof V }
    server: (config: ValuesOf<V>) => OauthServer
  }
  /** Where the API is: in one place for all accounts, or at each account's own address. */
  origin: string | AccountOrigin
  /** Called once for a process, by CrmClients, so that what the API learns is kept; a test of a credential makes its own. */
  create: () => CrmApi
}

export type CrmErrorKind =
  /** The credential is not accepted, or does not allow enough: a person must connect again. */
  | 'auth'
  /** A quota of calls is used up for hours. */
  | 'quota'
  /** The vendor cannot answer now. */
  | 'busy'
  /** A field the service manages is missing. */
  | 'schema'
  | 'refused'

/** Why a call to a CRM gave nothing. Its message is a sentence for a salesperson. */
export class CrmError extends Error {
  readonly kind: CrmErrorKind
  readonly status: number | null

  constructor(
    kind: CrmErrorKind,
    message: string,
    { status = null, cause }: { status?: number | null; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'CrmError'
    this.kind = kind
    this.status = status
  }
}
