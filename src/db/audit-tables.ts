import type { ColumnType, Generated } from 'kysely'
import type { NullableTimestamp, TimestampColumn } from './columns.ts'

/** chat: a button of a message in the chat. provider: a sign-in provider. anonymous: a caller without a valid key or session, or with a link of a mail. */
export type AuditActor = 'key' | 'session' | 'agent' | 'chat' | 'command_line' | 'provider' | 'anonymous'
/** unknown: the process died before it reported what became of the change. */
export type AuditOutcome = 'ok' | 'refused' | 'failed' | 'unknown'
export type AuditChanges = Record<string, { before: unknown; after: unknown }>

/** What identifies a person. An erasure deletes all of it. */
export type AuditPersonal = {
  /** The name of the member at that time; for the command line, of the user of the operating system. */
  name?: string | null
  ip?: string
  user_agent?: string
  /** The target, if it is a person. */
  person_id?: string
  /** The name of the target at that time, if it is no person. */
  target_name?: string
}

type Common = {
  workspace_id: string
  id: string
  actor: AuditActor
  member_id: string | null
  key_id: string | null
  session_id: string | null
  /** The operationId, or what else was done. */
  action: string
  target_type: string | null
  target_id: string | null
  request_id: string | null
}

type AuditEntries = Common & {
  /** Without gaps in a workspace; set by a trigger, as the last four columns. */
  seq: ColumnType<number, never, never>
  at: TimestampColumn
  outcome: AuditOutcome
  status: number | null
  error_code: string | null
  changes: ColumnType<AuditChanges, string | undefined, never>
  /** Null after an erasure. */
  personal: ColumnType<AuditPersonal | null, string | null | undefined, null>
  salt: ColumnType<Buffer | null, never, null>
  personal_digest: ColumnType<Buffer, never, never>
  prev_hash: ColumnType<Buffer, never, never>
  hash: ColumnType<Buffer, never, never>
}

type AuditPending = Common & {
  began_at: TimestampColumn
  /** Updated while a long change is being made. */
  alive_at: TimestampColumn
  person_id: string | null
  personal: ColumnType<AuditPersonal, string, never>
  /** The record before the change; of masked columns a digest, whose salt is in the memory of the process only. */
  before: ColumnType<Record<string, unknown> | null, never, never>
}

type AuditHeads = {
  workspace_id: string
  seq: Generated<number>
  hash: Generated<Buffer>
  /** The last entry that retention has removed. */
  anchor_seq: Generated<number>
  anchor_hash: Generated<Buffer>
  anchor_at: NullableTimestamp
}

type AuditStreams = {
  workspace_id: string
  /** Null after it was turned off. */
  destination_id: string | null
  sends_to: string
  /** The last entry that was received. */
  seq: number
  ends_after: number | null
  failures: Generated<number>
  next_at: TimestampColumn
  problem: string | null
  sent_at: NullableTimestamp
}

export type AuditTables = {
  audit_entries: AuditEntries
  audit_pending: AuditPending
  audit_heads: AuditHeads
  audit_streams: AuditStreams
}
