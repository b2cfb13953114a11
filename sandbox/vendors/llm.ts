import type { SandboxResponse, Vendor } from '../types.ts'
import { json } from './boards.ts'

type Message = { role: string; content: string }
type Request = { model: string; messages: Message[]; response_format?: { json_schema?: { name?: string } } }

/**
 * A chat completions server at https://llm.example/v1. The model name selects its behaviour: `honest` responds as
 * requested; `plain` does, too, but rejects schemas and adds text around its response; `inventive` adds facts; `broken`
 * responds with nonsense; `slow` does not respond; `busy` is overloaded.
 */
export const llm: Vendor = {
  name: 'llm',
  hosts: ['llm.example'],
  answer({ method, url, body }) {
    if (method !== 'POST' || url.pathname !== '/v1/chat/completions')
      return json(404, { error: { message: 'Not found' } })
    const request = JSON.parse(body) as Request
    const { model } = request
    if (model === 'slow') return new Promise<SandboxResponse>(() => {})
    if (model === 'busy')
      return json(429, { error: { message: 'Rate limit reached', type: 'requests' } }, { 'retry-after': '0.01' })
    if (model === 'plain' && request.response_format) {
      return json(400, { error: { message: "'response_format' is not supported", type: 'invalid_request_error' } })
    }
    if (model === 'broken') return completion(model, 'I would rather talk about the weather.')
    const content = JSON.stringify(answerTo(request, model === 'inventive'))
    return completion(
      model,
      model === 'plain' ? `Here you are:\n\`\`\`json\n${content}\n\`\`\`\nAnything else?` : content,
    )
  },
}

function completion(model: string, content: string): SandboxResponse {
  return json(200, {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  })
}

function answerTo({ messages }: Request, isInventive: boolean): object {
  const user = messages.find(({ role }) => role === 'user')?.content ?? ''
  const system = messages.find(({ role }) => role === 'system')?.content ?? ''
  if (system.includes('untrusted_passages')) return secondReading(user, isInventive)
  if (system.includes('untrusted_document')) return events(user, isInventive)
  return system.includes('why_reach_out_md') ? wording(user, isInventive) : cascade(user, isInventive)
}

/** Words that identify signals for this model, by language. */
const TELLING: readonly [signal: string, words: RegExp][] = [
  ['funding', /Finanzierungsrunde|rahoituskierrokse|資金調達/],
  ['layoffs', /streicht|vähentää|人員削減/],
]

/** Quotes the sentences that report a signal; the inventive model adds an invented one. */
function events(user: string, isInventive: boolean): object {
  const { untrusted_document, company, signals } = JSON.parse(user) as {
    untrusted_document: { text: string }
    company: { name: string }
    signals: { id: string; name: string }[]
  }
  const sentences = untrusted_document.text.split(/\n|(?<=(?<!Mio)\.) |(?<=。)/)
  const told = TELLING.flatMap(([signal_id, words]) => {
    const signal = signals.find(({ id }) => id === signal_id)
    const quote = isInventive
      ? `${company.name} hat in einer Finanzierungsrunde 45 Millionen Euro erhalten.`
      : sentences.find((sentence) => words.test(sentence))?.trim()
    if (!signal || !quote) return []
    return [{ signal_id, quote, claim: `${company.name} reports ${signal.name.toLowerCase()}.`, date: null }]
  })
  return { events: told }
}

/** Rejects sentences with words of rumours and opinions; the inventive model says yes with an invented quote. */
function secondReading(user: string, isInventive: boolean): object {
  const { untrusted_passages, questions } = JSON.parse(user) as {
    untrusted_passages: { id: string; sentence: string }[]
    questions: { id: string; company: string }[]
  }
  const answers = questions.map(({ id, company }) => {
    const { sentence = '' } = untrusted_passages.find((passage) => passage.id === id) ?? {}
    if (isInventive) return { id, answer: 'yes', quote: `${company} has firmly announced this today` }
    const isRumour = /\b(?:rumou?r\w*|reportedly|considers|is said to|should|could)\b/i.test(sentence)
    return isRumour ? { id, answer: 'no', quote: '' } : { id, answer: 'yes', quote: sentence }
  })
  return { answers }
}

type WordingRequest = {
  account: { name: string }
  evidence: { claim: string }[]
  draft: { draft: { message: { subject: string; body: string } | null } }
}

/** Rewrites a draft from its evidence only; the inventive model adds facts. */
function wording(user: string, isInventive: boolean): object {
  const { account, evidence, draft } = JSON.parse(user) as WordingRequest
  const claim = evidence[0]?.claim ?? ''
  const more = isInventive ? ' Larch Capital put in 45 million.' : ''
  const { message } = draft.draft
  return {
    headline: `${account.name}: ${claim}`.slice(0, 120),
    narrative: `In short: ${claim}${more}`,
    why_reach_out_md: `**Why now:** ${claim}`,
    ...(message && {
      subject: message.subject,
      body: message.body.replace('\n\n', '\n\nIn short: '),
      short_message: `In short: ${claim}`,
      call_opener: `In short: ${claim}`,
    }),
  }
}

/** The role before the first "at" or "in" as the ideal one; the inventive model asks for all people on the moon. */
function cascade(query: string, isInventive: boolean): object {
  const role = query.split(/ (?:at|in) /, 1)[0]?.trim() ?? query
  return {
    tiers: [{ titles: [role], rules: [] }],
    geographies: isInventive ? ['the Moon'] : [],
    country_codes: isInventive ? ['ZZ'] : [],
    exclude: { keywords: [], job_levels: [], country_codes: [] },
    company: { industries: [], employees_min: null, employees_max: null },
  }
}
