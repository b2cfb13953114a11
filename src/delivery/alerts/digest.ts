export type DigestEntry = {
  account: { id: string; name: string; domain: string | null; score: number; url: string | null }
  why: string
  events: { headline: string; signal_name: string; date: string; source_url: string | null }[]
  person: { full_name: string; title: string | null; email: string | null } | null
  draft_opening: string | null
}

export type Digest = {
  schedule: 'at_once' | 'weekdays' | 'mondays'
  rule_name: string
  recipient_name: string
  entries: DigestEntry[]
  total: number
}
