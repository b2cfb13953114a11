import { Type } from 'typebox'
import type { Cascade, Tier, TierRule } from '../../engine/cascade/types.ts'
import { countryName } from '../../engine/countries.ts'
import { cutText } from '../../engine/text/storable.ts'
import { DEPARTMENTS, JOB_LEVELS } from '../../engine/titles/index.ts'
import type { ProviderDeps } from '../types.ts'
import { requestCompletion } from './openai-compatible.ts'

const LABELS = ['ideal', 'adjacent', 'fallback'] as const
const MAX_QUERY_CHARS = 1_000
/** A longer list of titles would match nearly every employee. */
const MAX_TITLES = 20
const MAX_TITLE_CHARS = 80
const MAX_RULES = 6
const MAX_WORDS = 20
const MAX_WORD_CHARS = 40

const closed = { additionalProperties: false }
const Texts = Type.Array(Type.String())
const Levels = Type.Array(Type.Enum([...JOB_LEVELS]))
const Answer = Type.Object(
  {
    tiers: Type.Array(
      Type.Object(
        {
          titles: Texts,
          rules: Type.Array(
            Type.Object(
              {
                job_levels: Levels,
                department: Type.Union([Type.Enum([...DEPARTMENTS]), Type.Null()]),
                keywords: Texts,
              },
              closed,
            ),
          ),
        },
        closed,
      ),
    ),
    geographies: Texts,
    country_codes: Texts,
    exclude: Type.Object({ keywords: Texts, job_levels: Levels, country_codes: Texts }, closed),
    company: Type.Object(
      {
        industries: Texts,
        employees_min: Type.Union([Type.Integer(), Type.Null()]),
        employees_max: Type.Union([Type.Integer(), Type.Null()]),
      },
      closed,
    ),
  },
  closed,
)
type Answer = Type.Static<typeof Answer>

const SYSTEM =
  'You turn a request for people at companies into tiers of job titles. The first tier is the role as asked, the ' +
  // check-words-ignore: the wording of the prompt was tuned
  'second holds neighbouring roles, the third whom to ask when neither is there. At most three tiers, each with ' +
  // check-words-ignore: the wording of the prompt was tuned
  'up to 12 titles as they stand on profiles. rules name further people of a tier by job level and department, ' +
  'with keywords when the request is narrower than a department. Words that describe a person ("someone who owns ' +
  'the budget") narrow what the titles name; they never add a job level of every department to the first tier. ' +
  'geographies are the places named in the request, country_codes their ISO 3166 two-letter codes, both empty ' +
  'when it names none. exclude holds what the request does not want. company holds what it says about the ' +
  'companies. Add nothing that the request does not ask for.'

/**
 * Compiles a request for people with the configured model; null when no model is configured, it fails, or its response
 * is unusable.
 */
export async function compileCascadeWithLlm(deps: ProviderDeps, query: string): Promise<Cascade | null> {
  const user = cutText(query, MAX_QUERY_CHARS)
  const response = await requestCompletion(deps, { system: SYSTEM, user, schema: { name: 'cascade', schema: Answer } })
  if (response.outcome === 'nothing') return null
  const cascade = response.outcome === 'ok' ? await cascadeOf(response.value) : null
  if (!cascade) {
    const reason = response.outcome === 'failed' ? response.reason : 'The response is not a valid cascade.'
    deps.log.warn({ reason }, 'the language model could not compile the request for people')
  }
  return cascade
}

async function cascadeOf(value: unknown): Promise<Cascade | null> {
  // Imported lazily: it loads three hundred modules, and most installations have no language model.
  const { Value } = await import('typebox/value')
  if (!Value.Check(Answer, value)) return null
  const { tiers, geographies, country_codes, exclude, company } = value
  const codes = [...country_codes, ...exclude.country_codes]
  const { employees_min: least, employees_max: most } = company
  const isBounded =
    tiers.length > 0 &&
    tiers.length <= LABELS.length &&
    tiers.every(isUsable) &&
    [geographies, exclude.keywords, company.industries].every((words) => areShort(words, MAX_WORDS, MAX_WORD_CHARS)) &&
    codes.length <= 250 &&
    codes.every((code) => countryName(code) !== null) &&
    [least, most].every((count) => count === null || (count >= 0 && count < 10_000_000)) &&
    (least === null || most === null || least <= most)
  if (!isBounded) return null
  return {
    tiers: tiers.map((tier, i) => tierOf(tier, i)),
    geographies,
    country_codes: [...new Set(country_codes)],
    exclude: { ...exclude, keywords: exclude.keywords.map((word) => word.toLowerCase()) },
    company,
  }
}

type AnsweredTier = Answer['tiers'][number]

function isUsable({ titles, rules }: AnsweredTier): boolean {
  return (
    titles.length > 0 &&
    areShort(titles, MAX_TITLES, MAX_TITLE_CHARS) &&
    rules.length <= MAX_RULES &&
    rules.every(({ job_levels, keywords }) => job_levels.length > 0 && areShort(keywords, MAX_WORDS, MAX_WORD_CHARS))
  )
}

function tierOf({ titles, rules }: AnsweredTier, index: number): Tier {
  const levels = new Set(rules.flatMap(({ job_levels }) => job_levels))
  return {
    tier: index + 1,
    label: LABELS[index] as Tier['label'],
    titles: [...new Set(titles.map((title) => title.trim()))],
    job_levels: JOB_LEVELS.filter((level) => levels.has(level)),
    rules: rules.map((rule): TierRule => ({ ...rule, keywords: rule.keywords.map((word) => word.toLowerCase()) })),
  }
}

function areShort(texts: readonly string[], most: number, mostChars: number): boolean {
  return texts.length <= most && texts.every((text) => text.trim() !== '' && text.length <= mostChars)
}
