import { formatLongDate } from '../../engine/dates/calendar.ts'
import { cutText } from '../../engine/text/storable.ts'
import type { Digest, DigestEntry } from './digest.ts'

export type DigestLinks = { open: string | null; unsubscribe: string | null; settings: string | null }

export type DigestMail = { subject: string; text: string; html: string }

/** Lengths that keep an entry on one screen of a phone. */
const MAX_NAME = 80
const MAX_LINE = 240
const MAX_DRAFT = 500
const MAX_EVENTS = 3
/** Mail programs show about this much of a subject. */
const MAX_SUBJECT = 140

/** A digest as a mail, in plain text and in HTML. Every value is text from outside and stays text. */
export function renderDigest(digest: Digest, links: DigestLinks): DigestMail {
  const shown = digest.entries.map(toView)
  const view: DigestView = {
    title: titleOf(digest),
    greeting: line(digest.recipient_name, MAX_NAME),
    rule: line(digest.rule_name, MAX_NAME),
    entries: shown,
    more: moreThan(digest.total, shown.length),
    open: webLink(links.open),
    unsubscribe: webLink(links.unsubscribe),
    settings: webLink(links.settings),
  }
  return { subject: subjectOf(digest), text: toText(view), html: toHtml(view) }
}

type DigestView = {
  title: string
  greeting: string
  rule: string
  entries: EntryView[]
  /** The accounts without room, in words. */
  more: string | null
  open: string | null
  unsubscribe: string | null
  settings: string | null
}

type EntryView = {
  name: string
  /** Domain and score. */
  facts: string
  events: { headline: string; note: string; url: string | null; host: string | null }[]
  moreEvents: string | null
  /** Null when there is nothing to say about whom to contact. */
  contact: { name: string; details: string; about: string | null } | null
  draft: string | null
  url: string | null
}

function toView({ account, events, person, draft_opening, about, is_contact_missing }: DigestEntry): EntryView {
  const left = events.length - MAX_EVENTS
  return {
    name: line(account.name, MAX_NAME),
    facts: [account.domain ? line(account.domain, MAX_NAME) : null, `Score ${account.score}`]
      .filter(Boolean)
      .join(' · '),
    events: events.slice(0, MAX_EVENTS).map(({ headline, signal_name, date, source_url }) => {
      const url = webLink(source_url)
      return {
        headline: line(headline, MAX_LINE),
        note: `${line(signal_name, MAX_NAME)}, ${formatLongDate(date) ?? line(date, MAX_NAME)}`,
        url,
        host: url && new URL(url).hostname.replace(/^www\./, ''),
      }
    }),
    moreEvents: left > 0 ? `and ${counted(left, 'more event', 'more events')}` : null,
    contact: person
      ? {
          name: line(person.full_name, MAX_NAME),
          details: [person.title, person.email].flatMap((text) => (text ? [line(text, MAX_NAME)] : [])).join(' · '),
          about: about && `About: ${line(about, MAX_LINE)}`,
        }
      : is_contact_missing
        ? { name: 'Not known yet', details: '', about: null }
        : null,
    draft: draft_opening ? line(draft_opening, MAX_DRAFT) || null : null,
    url: webLink(account.url),
  }
}

const WHEN = { weekdays: 'to call today', mondays: 'to call this week' } as const

function titleOf({ schedule, entries, total }: Digest): string {
  if (schedule !== 'at_once') return `${counted(total, 'account', 'accounts')} ${WHEN[schedule]}`
  return total === 1 && entries[0] ? `New at ${line(entries[0].account.name, MAX_NAME)}` : `News at ${total} accounts`
}

/** `3 accounts to call today: Acme, Globex and 1 more`; at once `New at Acme: raises $20M`. */
function subjectOf(digest: Digest): string {
  const { schedule, entries, total } = digest
  const names = namesOf(entries, total)
  if (schedule !== 'at_once') return cut(names ? `${titleOf(digest)}: ${names}` : titleOf(digest), MAX_SUBJECT)
  const [first, second] = entries
  if (!first || second || total > 1) return cut(`New at ${names}`, MAX_SUBJECT)
  const name = line(first.account.name, MAX_NAME)
  const [event, ...others] = first.events
  const what = event ? `: ${withoutName(line(event.headline, MAX_LINE), name)}` : ''
  return cut(`New at ${name}${what}${others.length > 0 ? ` and ${others.length} more` : ''}`, MAX_SUBJECT)
}

/** A headline usually starts with the name of the company, which the subject states already. */
function withoutName(headline: string, name: string): string {
  const rest = headline.toLowerCase().startsWith(`${name.toLowerCase()} `) ? headline.slice(name.length + 1).trim() : ''
  return rest || headline
}

const MAX_NAMED = 2

function namesOf(entries: readonly DigestEntry[], total: number): string {
  const named = entries.slice(0, MAX_NAMED).map(({ account }) => line(account.name, 40))
  const left = total - named.length
  if (left > 0) return `${named.join(', ')} and ${left} more`
  return named.join(' and ')
}

function moreThan(total: number, shown: number): string | null {
  return total > shown ? `and ${counted(total - shown, 'more account', 'more accounts')}` : null
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

/** One line of printable text: a line break could imitate another part of the mail, a direction mark reverse a word. */
function line(text: string, max: number): string {
  const plain = text
    .toWellFormed()
    .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
  return cut(plain.trim(), max)
}

function cut(text: string, max: number): string {
  return text.length > max ? `${cutText(text, max - 1).trimEnd()}…` : text
}

/** The normalised URL; null for anything but a web page, and for a host that could be mistaken for another one. */
function webLink(url: string | null): string | null {
  const parsed = url === null ? null : URL.parse(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password) return null
  return /^[\w.:[\]-]+$/.test(parsed.hostname) ? parsed.href : null
}

function toText({ title, greeting, rule, entries, more, open, unsubscribe, settings }: DigestView): string {
  const blocks = entries.map(({ name, facts, events, moreEvents, contact, draft, url }, at) => [
    `${entries.length > 1 ? `${at + 1}. ` : ''}${name} (${facts})`,
    ...events.flatMap(({ headline, note, url }) => [`- ${headline} (${note})`, ...(url ? [`  ${url}`] : [])]),
    ...(moreEvents ? [`  ${moreEvents}`] : []),
    ...(contact ? [`Contact: ${[contact.name, contact.details].filter(Boolean).join(' · ')}`] : []),
    ...(contact?.about ? [contact.about] : []),
    ...(draft ? [`Draft: “${draft}”`] : []),
    ...(url ? [`Open: ${url}`] : []),
  ])
  const footer = [
    `You get this mail because of the alert rule “${rule}”.`,
    ...(unsubscribe ? [`Unsubscribe: ${unsubscribe}`] : []),
    ...(settings ? [`Alert settings: ${settings}`] : []),
  ]
  return [
    greeting ? `Hello ${greeting},` : 'Hello,',
    `${title}.`,
    ...blocks.map((lines) => lines.join('\n')),
    ...(more ? [`${more}${open ? `: ${open}` : ''}`] : open ? [`See all: ${open}`] : []),
    `--\n${footer.join('\n')}`,
    '',
  ].join('\n\n')
}

const FONT = "font-family:Inter,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
/** A long word without spaces breaks instead of widening the mail. */
const BREAK = 'word-break:break-word;overflow-wrap:anywhere'
const TABLE = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"'

/** Inline styles are for light mode, because some mail programs drop style sheets; classes change the colours in dark mode. */
const STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0;padding:0}
@media (max-width:480px){.pad{padding-left:18px!important;padding-right:18px!important}}
@media (prefers-color-scheme:dark){
.page{background:#17181a!important}.card{background:#212326!important;border-color:#34373b!important}
.ink{color:#e9eaec!important}.dim{color:#a6adb4!important}.link{color:#6cc5b0!important}
.rule{border-color:#34373b!important}.draft{background:#1a2b28!important;border-color:#29aa8b!important}
.button{background:#108068!important;color:#ffffff!important}}`

function toHtml(view: DigestView): string {
  const { title, greeting, rule, entries, more, open, unsubscribe, settings } = view
  const preheader = entries.map(({ name, events: [first] }) => first?.headline ?? name).join(' · ')
  const end = more ?? (open && 'See all in Bellwether')
  const footer = [
    `You get this mail because of the alert rule “${escaped(rule)}”.`,
    [unsubscribe && textOrLink('Unsubscribe', unsubscribe), settings && textOrLink('Alert settings', settings)]
      .filter(Boolean)
      .join(' &nbsp;·&nbsp; '),
  ].filter(Boolean)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f5f3">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${escaped(cut(preheader, MAX_LINE))}${'&#847;&zwnj;&nbsp;'.repeat(40)}</div>
<table ${TABLE} class="page" style="background:#f4f5f3"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px;table-layout:fixed">
<tr><td style="padding:0 4px 16px">
<p class="dim" style="${FONT};font-size:14px;line-height:20px;color:#5a636b;margin:0;${BREAK}">${greeting ? `Hello ${escaped(greeting)},` : 'Hello,'}</p>
<h1 class="ink" style="${FONT};font-size:22px;line-height:28px;font-weight:650;color:#1c2024;margin:2px 0 0;${BREAK}">${escaped(title)}</h1>
</td></tr>
${entries.map(entryHtml).join('\n')}
${end ? `<tr><td class="dim" style="padding:6px 4px 0;${FONT};font-size:14px;line-height:20px;color:#5a636b">${textOrLink(end, open)}</td></tr>` : ''}
<tr><td style="padding:24px 4px 0">
<table ${TABLE}><tr><td class="rule dim" style="border-top:1px solid #dfe2e0;padding-top:16px;${FONT};font-size:12px;line-height:18px;color:#5a636b;${BREAK}">${footer.join('<br>')}</td></tr></table>
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

function entryHtml({ name, facts, events, moreEvents, contact, draft, url }: EntryView): string {
  const small = (content: string, margin = '0') =>
    `<p class="dim" style="${FONT};font-size:13px;line-height:19px;color:#5a636b;margin:${margin};${BREAK}">${content}</p>`
  const label = (text: string) =>
    `<p class="dim" style="${FONT};font-size:11px;line-height:16px;font-weight:600;letter-spacing:.04em;text-transform:uppercase;color:#5a636b;margin:14px 0 2px">${text}</p>`
  const normal = (content: string) =>
    `<p class="ink" style="${FONT};font-size:15px;line-height:22px;color:#1c2024;margin:0;${BREAK}">${content}</p>`
  const parts = [
    `<h2 class="ink" style="${FONT};font-size:18px;line-height:24px;font-weight:650;color:#1c2024;margin:0;${BREAK}">${escaped(name)}</h2>`,
    small(escaped(facts)),
    events.length > 0 && label('What happened'),
    ...events.map(
      ({ headline, note, url, host }) =>
        `${normal(escaped(headline))}${small(`${escaped(note)}${url ? ` · ${textOrLink(host ?? url, url)}` : ''}`, '0 0 6px')}`,
    ),
    moreEvents && small(escaped(moreEvents)),
    contact && label('Contact') + normal(escaped(contact.name)),
    ...[contact?.details, contact?.about].map((text) => text && small(escaped(text))),
    draft &&
      `${label('Opening of the draft')}<table ${TABLE} style="table-layout:fixed"><tr><td class="draft ink" style="background:#e7f7f3;border-left:3px solid #0b6e5f;padding:10px 12px;${FONT};font-size:14px;line-height:21px;color:#1c2024;${BREAK}">${escaped(draft)}</td></tr></table>`,
    url &&
      `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin-top:16px"><tr><td class="button" style="background:#0b6e5f;border-radius:8px"><a href="${escaped(url)}" class="button" style="display:inline-block;padding:9px 16px;${FONT};font-size:14px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none;border-radius:8px">Open ${escaped(cut(name, 40))}</a></td></tr></table>`,
  ]
  return `<tr><td style="padding:0 0 14px"><table ${TABLE} style="table-layout:fixed"><tr><td class="card pad" style="background:#ffffff;border:1px solid #dfe2e0;border-radius:12px;padding:20px 24px">
${parts.filter(Boolean).join('\n')}
</td></tr></table></td></tr>`
}

function textOrLink(text: string, url: string | null): string {
  if (!url) return escaped(text)
  return `<a href="${escaped(url)}" class="link" style="color:#0b6e5f;text-decoration:underline">${escaped(text)}</a>`
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
