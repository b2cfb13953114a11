/** What alert rules promise, in plain code over the findings of a month: it shares nothing with the service. */

export type Person = {
  name: string
  email: string
  zone: string
  role: 'admin' | 'member'
  visibility: 'all' | 'scoped'
}

export type Rule = {
  by: Person
  channel: 'email' | 'chat_dm' | 'chat'
  recipient?: 'owner'
  chat_channel?: string
  schedule?: 'weekdays' | 'mondays'
  hour?: number
  signals?: string[]
  min_score?: number
  tags?: string[]
  statuses?: string[]
  only_mine?: boolean
  is_enabled?: boolean
}

export type Account = {
  id: string
  name: string
  score: number
  tags: string[]
  owners: { from: number; person: Person }[]
}

export type Finding = { title: string; account: Account; signal: string; at: number }

/** A finding that reaches a place (`email ana@…`) within an interval, and the slot of its digest. */
export type Delivery = { way: string; finding: Finding; due: number; slot: { zone: string; rule: Rule } | null }

const HOUR = 3_600_000
const QUARTER = HOUR / 4
/** Longer than until the next Monday, also after a change of the clocks. */
const SLOT_DAYS = 9

const formats = new Map<string, Intl.DateTimeFormat>()

/** The local time: `Mon 08:00`. */
export function localTime(at: number, timeZone: string): string {
  const options = { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', options)
  formats.set(timeZone, format)
  return format.format(at).replace(',', '')
}

/** Whether a local time is in the hour of a schedule. */
export function isInHour(at: number, zone: string, { schedule, hour = 8 }: Rule): boolean {
  const [day = '', time = ''] = localTime(at, zone).split(' ')
  const days = schedule === 'mondays' ? ['Mon'] : ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']
  return days.includes(day) && Number(time.slice(0, 2)) === hour
}

/** The first begin of the hour of a schedule after an instant. */
function slotAfter(at: number, zone: string, rule: Rule): number {
  const first = Math.floor(at / QUARTER) * QUARTER + QUARTER
  for (let slot = first; slot < at + SLOT_DAYS * 24 * HOUR; slot += QUARTER)
    if (localTime(slot, zone).endsWith(':00') && isInHour(slot, zone, rule)) return slot
  throw new Error(`No slot after ${new Date(at).toISOString()} in ${zone}`)
}

const ownerAt = ({ owners }: Account, at: number) => owners.findLast(({ from }) => from <= at)?.person

const isWanted = (wanted: string[] = [], ...given: string[]) =>
  wanted.length === 0 || given.some((one) => wanted.includes(one))

/** All deliveries of the findings: each once for each place, at once rather than scheduled, then by the oldest rule. */
export function expectedDeliveries(findings: Finding[], rules: Rule[]): Delivery[] {
  return findings.flatMap((finding) => {
    const { account, signal, at } = finding
    const chosen = new Map<string, { rule: Rule; viewer: Person; isOwn: boolean }>()
    for (const rule of rules.toSorted((a, b) => Number(Boolean(a.schedule)) - Number(Boolean(b.schedule)))) {
      const owner = ownerAt(account, at)
      const viewer = rule.recipient === 'owner' ? owner : rule.by
      if (!viewer) continue
      const isScoped = viewer.visibility === 'scoped' && viewer.role !== 'admin'
      const isOwn = Boolean(rule.only_mine) || rule.recipient === 'owner' || isScoped
      const isCovered =
        rule.is_enabled !== false &&
        isWanted(rule.signals, signal) &&
        isWanted(rule.tags, ...account.tags) &&
        isWanted(rule.statuses, 'active') &&
        account.score >= (rule.min_score ?? 0) &&
        (!isOwn || owner === viewer)
      const way = `${rule.channel} ${rule.channel === 'chat' ? rule.chat_channel : viewer.email}`
      if (isCovered && !chosen.has(way)) chosen.set(way, { rule, viewer, isOwn })
    }
    return [...chosen].flatMap(([way, { rule, viewer, isOwn }]): Delivery[] => {
      if (!rule.schedule) return [{ way, finding, due: at, slot: null }]
      const due = slotAfter(at, viewer.zone, rule)
      // An account that has changed hands since is left out.
      if (isOwn && ownerAt(account, due) !== viewer) return []
      return [{ way, finding, due, slot: { zone: viewer.zone, rule } }]
    })
  })
}
