import { readFileSync } from 'node:fs'
import { documentPublication, readWebPage } from '../../src/engine/page/index.ts'
import { createEventsQuestion, extractEvents } from '../../src/providers/llm/events.ts'
import { LANGUAGES, type LabelledPage, languagePages } from '../fixtures/languages/index.ts'
import { vendorNet } from './vendors.ts'

type Recorded = { language: string; half: string; headline: string } & Omit<Event, 'date' | 'kind'> & {
    translated: string
  }
/** An event in a recorded answer. All kinds except `true` have to be dropped. */
type Event = {
  kind: 'true' | 'translated' | 'invented' | 'part' | 'spliced' | 'wrong date' | 'not asked'
  signal_id: string
  quote: string
  claim: string
  date: string | null
}
type RecordedAnswer = {
  page: LabelledPage
  document: { title: string | null; text: string; published_date: string | null }
  events: Event[]
}

/** Recorded answers of a model about labelled news pages, twenty per language; each has one true event and six false ones. */
function recordedAnswers(): RecordedAnswer[] {
  const lines = readFileSync(new URL('../fixtures/languages/answers.ndjson', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  const recorded = lines.map((line) => JSON.parse(line) as Recorded)
  return LANGUAGES.flatMap((language) =>
    [...languagePages(language, 'tune'), ...languagePages(language, 'test')].flatMap((page): RecordedAnswer[] => {
      const answer = recorded.find(
        ({ headline, ...one }) =>
          one.language === language &&
          one.half === page.half &&
          page.title.includes(headline.replace('{C}', page.company)),
      )
      if (page.kind !== 'news' || !answer) return []
      const { url, html, company } = page
      const read = readWebPage({ url, html, today: '2026-12-31' })
      const document = { title: read.title, text: read.text, published_date: documentPublication(read).published_date }
      const [quote, claim, translated] = [answer.quote, answer.claim, answer.translated].map((text) =>
        text.replaceAll('{C}', company),
      ) as [string, string, string]
      const words = quote.split(' ')
      const false_ = { claim, date: null }
      const events: Event[] = [
        { ...false_, kind: 'translated', signal_id: 'funding', quote: translated },
        { ...false_, kind: 'invented', signal_id: 'layoffs', quote: `${company}: ${words.slice(2).join(' ')} 45.` },
        { ...false_, kind: 'part', signal_id: 'acquisition', quote: words.slice(0, -2).join(' ') },
        { ...false_, kind: 'spliced', signal_id: 'ipo', quote: `${words.slice(0, 3).join(' ')} ${page.title}` },
        { ...false_, kind: 'wrong date', signal_id: 'security_incident', quote, date: '2024-02-03' },
        { ...false_, kind: 'not asked', signal_id: 'made_up', quote },
        { ...false_, kind: 'true', signal_id: answer.signal_id, quote },
      ]
      return [{ page, document, events }]
    }),
  )
}

const SIGNAL_IDS =
  'acquisition customer_win expansion funding hiring ipo layoffs leadership_change partnership product_launch security_incident technology_adoption'
/** A company that no page mentions. */
const OTHER_COMPANY = 'Wexcombe Holding'

type ProofCounts = { language: string; pages: number; true: number; proven: number; false: number; accepted: number }

/** Plays the recorded answers through the provider, and counts the proven true and the accepted false events. */
export async function playRecordedAnswers(): Promise<ProofCounts[]> {
  let events: readonly Event[] = []
  await using net = await vendorNet({}, ({ url }) => {
    if (url.host !== 'model.example') return null
    const message = { role: 'assistant', content: JSON.stringify({ events: events.map(({ kind: _, ...one }) => one) }) }
    const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
    return { status: 200, headers: { 'content-type': 'application/json' }, body }
  })
  const deps = net.deps({ LLM_BASE_URL: 'https://model.example/v1', LLM_MODEL: 'recorded' })
  const signals = SIGNAL_IDS.split(' ').map((id) => ({ id, name: id, description: `It is about ${id}.` }))
  const read = async (name: string, document: RecordedAnswer['document']) => {
    const question = createEventsQuestion(deps.config, { name, domain: null }, document, signals)
    const asked = await extractEvents(deps, question)
    if (asked.outcome !== 'ok') throw new Error(`The recorded answer about ${document.title} was not read`)
    return asked.value.events
  }
  const counts = new Map<string, ProofCounts>()
  for (const { page, document, events: recorded } of recordedAnswers()) {
    events = recorded
    const { language } = page
    const sums = counts.get(language) ?? { language, pages: 0, true: 0, proven: 0, false: 0, accepted: 0 }
    counts.set(language, sums)
    const [right] = recorded.filter(({ kind }) => kind === 'true')
    const accepted = await read(page.company, document)
    const proven = accepted.filter(({ signal_id, quote }) => signal_id === right?.signal_id && quote === right.quote)
    const ofOther = await read(OTHER_COMPANY, document)
    sums.pages++
    sums.true++
    sums.proven += proven.length
    sums.false += recorded.length - 1 + recorded.length
    sums.accepted += accepted.length - proven.length + ofOther.length
  }
  return [...counts.values()]
}
