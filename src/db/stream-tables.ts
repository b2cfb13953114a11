import type { Generated, GeneratedAlways } from 'kysely'
import type { JsonColumn, NullableTimestamp, TimestampColumn } from './columns.ts'

export type StreamFeeds = {
  stream: string
  feed: string
  state: JsonColumn<Record<string, unknown>> | null
  due_at: TimestampColumn
  read_at: NullableTimestamp
  failure: string | null
}

export type StreamItems = {
  id: GeneratedAlways<number>
  stream: string
  key: string
  company: string
  company_key: GeneratedAlways<string>
  domain: string | null
  url: string
  kind: 'page' | 'article' | 'posting' | 'filing' | 'mention'
  title: string | null
  text: string
  published_date: string
  language: string | null
  tells: JsonColumn<{ signal_id: string; claim: string }[]>
  about: Generated<string[]>
  hints: JsonColumn<{ named: string[]; witnesses: string[] }>
  ref: JsonColumn<Record<string, unknown>> | null
  is_lead: Generated<boolean>
  is_whole: boolean
  failures: Generated<number>
  is_dropped: Generated<boolean>
  found_at: TimestampColumn
  matched_at: NullableTimestamp
}
