import { setTimeout as sleep } from 'node:timers/promises'
import { COMPANY_PROFILE, KNOWLEDGE_BASE, MEMBER_PROFILE } from '../sandbox/demo/knowledge.ts'
import { startSandbox } from '../sandbox/start.ts'
import { report } from './results.ts'
import { type Call, caller, startBenchService } from './support.ts'

/**
 * The drafts for the sandbox's companies with the most news, as Markdown to read, with the figures of docs/engine.md: their
 * lengths, the most repeated sentences, and the findings without a draft with the reason.
 */

const ACCOUNTS = 48
const PER_PAGE = 100
const STABLE_MS = 5_000
const PATIENCE_MS = 300_000

type Text = string | null
type Detection = {
  signal_id: string
  account: { name: string }
  evidence: { claim: string }[]
  draft: Record<'full_name' | 'title' | 'subject' | 'body' | 'short_message' | 'call_opener' | 'note', Text> | null
}
type Written = Detection & {
  draft: Record<'full_name' | 'subject' | 'body' | 'short_message' | 'call_opener', string> & { title: Text }
}

await using sandbox = await startSandbox({ keep: false })
await using service = await startBenchService(sandbox.env)
const call = caller(service)
for (const section of KNOWLEDGE_BASE) await call('POST', '/v1/knowledge-base', section)
await call('PATCH', '/v1/company-profile', COMPANY_PROFILE)
await call('PATCH', '/v1/me/profile', MEMBER_PROFILE)
const { member } = await call<{ member: { id: string } }>('GET', '/v1/me')

const chosen = sandbox
  .manifest()
  .companies.filter(({ readable, language, people }) => readable && language === 'en' && people.length > 1)
  .toSorted((a, b) => b.signals.length - a.signals.length)
  .slice(0, ACCOUNTS)
const accounts = await call<{ id: string }[]>(
  'POST',
  '/v1/accounts',
  chosen.map(({ name, domain }) => ({ name, domain, owner_id: member.id })),
)
for (const { id } of accounts) await call('POST', `/v1/accounts/${id}/activate`, {})
await Promise.all(accounts.map(({ id }) => research(call, id)))
const detections = await untilStable(() => listDetections(call))
const written = detections.filter((one): one is Written => Boolean(one.draft?.body))
console.log(written.map(toMarkdown).join('\n'))
summarize(detections, written)

/** Joins the scan that activation started, and loads the people. */
async function research(call: Call, id: string): Promise<void> {
  const { run_id } = await call<{ run_id: string }>('POST', `/v1/accounts/${id}/scan`)
  while ((await call<{ status: string }>('GET', `/v1/runs/${run_id}`)).status === 'running') await sleep(500)
  await call('POST', '/v1/people/sync', { account_id: id })
}

async function listDetections(call: Call): Promise<Detection[]> {
  const all: Detection[] = []
  for (let page = 1; ; page++) {
    const rows = await call<Detection[]>('GET', `/v1/detections?per_page=${PER_PAGE}&page=${page}`)
    all.push(...rows)
    if (rows.length < PER_PAGE) return all
  }
}

/** New people cause drafts to be written again in the background. */
async function untilStable<T>(read: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS
  for (let before = ''; ; ) {
    const now = await read()
    const text = JSON.stringify(now)
    if (text === before || Date.now() > deadline) return now
    before = text
    await sleep(STABLE_MS)
  }
}

function toMarkdown({ account, signal_id, evidence, draft }: Written, at: number): string {
  const { full_name, title, subject, body, short_message, call_opener } = draft
  const quoted = (text: string) => text.replaceAll(/^/gm, '> ').replaceAll('> \n', '>\n')
  return `## ${at + 1}. ${account.name}: ${signal_id}

${evidence[0]?.claim ?? ''}. To ${[full_name, title].filter(Boolean).join(', ')}; ${wordsOf(draft)} words.

${quoted(`**${subject}**\n\n${body}`)}

- Short message: ${short_message}
- Call: ${call_opener}
`
}

function wordsOf({ subject, body }: Written['draft']): number {
  return `${subject} ${body}`.split(/\s+/).length
}

function summarize(detections: readonly Detection[], written: readonly Written[]): void {
  console.log('## Totals\n')
  const reasons = Map.groupBy(
    detections.filter(({ draft }) => !draft?.body),
    ({ draft }) => (draft?.note ?? 'no draft').replace(/ Find people at .*/, ''),
  )
  const length = written.map(({ draft }) => wordsOf(draft)).toSorted((a, b) => a - b)
  const sentences = Map.groupBy(
    written.flatMap(({ draft }) => [...new Set(sentencesOf(draft.body))]),
    (sentence) => sentence,
  )
  const repeated = [...sentences].map(([text, { length }]) => ({ text, count: length }))
  const most = repeated.toSorted((a, b) => b.count - a.count).slice(0, 10)
  console.log(
    `- ${detections.length} findings, ${written.length} drafts, ${new Set(written.map(({ account }) => account.name)).size} accounts`,
  )
  for (const [note, { length }] of reasons) console.log(`- ${length} without a draft: ${note}`)
  console.log(
    `- ${length[0]} to ${length.at(-1)} words; ${length.filter((words) => words < 60 || words > 110).length} outside 60 to 110`,
  )
  console.log('- most repeated sentences:')
  for (const { text, count } of most) console.log(`  - ${count}: ${text}`)
  console.log()
  const share = (most[0]?.count ?? 0) / Math.max(1, written.length)
  report({ path: 'drafts', ours: written.length, unit: 'drafts', atMost: null })
  report({ path: 'drafts with the most repeated sentence', ours: share * 100, unit: '%', atMost: 20 })
}

/** The sentences between greeting and signature. */
function sentencesOf(body: string): string[] {
  const paragraphs = body.split('\n\n').slice(1, -1)
  return paragraphs.flatMap((text) => text.split(/(?<=[.?!]”?) (?=\S)/))
}
