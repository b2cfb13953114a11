import type { ColumnType, Generated } from 'kysely'
import type { NullableTimestamp, TimestampColumn } from './columns.ts'

/** `later`: put off. `keep`: the defaults are right, so the step is done. */
export type SetupChoices = {
  steps?: Partial<Record<SetupStep, 'later' | 'keep'>>
  is_dismissed?: boolean
}

export type SetupStep = 'website' | 'profile' | 'crm' | 'companies' | 'signals' | 'alerts'

export type Members = {
  workspace_id: string
  id: string
  name: string
  /** A service account is the identity of an integration; it is not listed as a member. */
  kind: Generated<'person' | 'service'>
  /** Null for a service account. */
  email: string | null
  role: 'admin' | 'member'
  visibility: 'all' | 'scoped'
  /** IANA name, for days and hours of alerts and snoozes. */
  time_zone: Generated<string>
  /** No longer read or written. Kept, so that the previous version still runs on this database. */
  feed_seen_at: NullableTimestamp
  /** What the member has decided about the setup. */
  setup: Generated<SetupChoices>
  created_at: TimestampColumn
}

/** How a member writes. A member without a row has saved nothing. */
export type MemberProfiles = {
  workspace_id: string
  member_id: string
  job_title: string | null
  signature: string | null
  tone: Generated<'brief' | 'warm' | 'formal'>
  calendar_url: string | null
  sample_messages: ColumnType<string[], string | undefined, string>
  /** Learned from the member's edits of drafts, as the two below. */
  greeting: string | null
  sign_off: string | null
  body_words: number | null
  updated_at: TimestampColumn
}

export type ApiKeys = {
  workspace_id: string
  id: string
  member_id: string
  name: string
  prefix: string
  hash: Buffer
  /** Written for the previous version, which knows no scopes. */
  read_only: boolean
  scope: Generated<'read' | 'work' | 'admin'>
  /** The only operations that the key may call. */
  operations: string[] | null
  /** Addresses and networks that the key may be used from. */
  allowed_ips: string[] | null
  expires_at: NullableTimestamp
  last_used_at: NullableTimestamp
  revoked_at: NullableTimestamp
  created_at: TimestampColumn
}

/** The workspace of each secret that a request may have. */
export type TokenWorkspaces = {
  hash: Buffer
  workspace_id: string
  expires_at: NullableTimestamp
}

/** A signed-in browser. An ended session has no row, is past `expires_at`, or its key is revoked. */
export type Sessions = {
  workspace_id: string
  id: string
  member_id: string
  /** The key that opened the session: revoking it ends the session. */
  key_id: string | null
  hash: Buffer
  browser: string
  created_at: TimestampColumn
  last_used_at: TimestampColumn
  expires_at: TimestampColumn
  /** The sign-in provider that opened the session, as are the columns below; null for a key or a link. */
  provider: string | null
  /** Encrypted: the refresh token, and the ID token for the sign-out at the provider. */
  tokens_sealed: Buffer | null
  /** When the provider is asked again whether the person may still sign in; null without a refresh token. */
  refresh_at: NullableTimestamp
  /** When the provider confirmed the person. */
  confirmed_at: NullableTimestamp
  /** Ends the session even if it is used; set where the provider cannot be asked. */
  ends_at: NullableTimestamp
}

/** A sign-in at a provider that was started in a browser. */
export type SignInAttempts = {
  state_hash: Buffer
  provider: string
  /** Hash of the cookie of the browser that started it. */
  browser_hash: Buffer
  /** Encrypted: the state, the nonce, the PKCE verifier and the redirect URI. */
  secrets_sealed: Buffer
  expires_at: TimestampColumn
}

/** A person at a sign-in provider, and the member who they are here. */
export type MemberIdentities = {
  workspace_id: string
  issuer: string
  subject: string
  member_id: string
  created_at: TimestampColumn
}

export type SignInLinks = {
  workspace_id: string
  hash: Buffer
  member_id: string
  /** The key that its session will belong to. */
  key_id: string | null
  expires_at: TimestampColumn
  used_at: NullableTimestamp
  /** When the link was sent by email; null for one that was not. */
  emailed_at: NullableTimestamp
}
