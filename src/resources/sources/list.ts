import type { Static } from 'typebox'
import type { Config } from '../../config/config.ts'
import type { Deps } from '../../deps/deps.ts'
import { classifierUnavailableMessage } from '../../engine/classifier/index.ts'
import { MAIL_SERVERS, smtp } from '../../providers/email/smtp.ts'
import { ZEROBOUNCE, zerobounce } from '../../providers/email/zerobounce.ts'
import { EDGAR, edgarContactEmail, edgarDisabledReason } from '../../providers/filings/edgar.ts'
import { wikidata } from '../../providers/firmographics/wikidata.ts'
import { JOB_BOARDS } from '../../providers/job-boards/index.ts'
import { LANGUAGE_MODEL } from '../../providers/llm/openai-compatible.ts'
import { hackerNews } from '../../providers/news/hacker-news.ts'
import { PDL, peopleDataLabs } from '../../providers/people-data/people-data-labs.ts'
import { companiesHouse } from '../../providers/registers/companies-house.ts'
import { gleif } from '../../providers/registers/gleif.ts'
import { GITHUB } from '../../providers/software/github.ts'
import { STATUS_PAGES } from '../../providers/software/status-page.ts'
import { companiesHouseStream } from '../../providers/streams/companies-house.ts'
import { gdelt } from '../../providers/streams/gdelt.ts'
import { globenewswire } from '../../providers/streams/globenewswire.ts'
import { nihReporter } from '../../providers/streams/nih-reporter.ts'
import { prNewswire } from '../../providers/streams/pr-newswire.ts'
import { ted } from '../../providers/streams/ted.ts'
import { usaspending } from '../../providers/streams/usaspending.ts'
import { warn } from '../../providers/streams/warn.ts'
import { WEB_SITES } from '../../providers/web/fetch-page.ts'
import { verificationConfig } from '../integrations/email-verification.ts'
import { listProviderHealth } from '../integrations/provider-health-store.ts'
import type { Source } from './schema.ts'

type Listed = Static<typeof Source>
type Known = Pick<Listed, 'name' | 'kind' | 'about'> & {
  /** Why it is off, and how to switch it on; null while it is on. */
  whyOff: (config: Config) => string | null
}

const named = (source: string) => (config: Config) =>
  config.SOURCES.has(source) ? null : `It is switched off. The operator of the service can add ${source} to SOURCES.`
const keyed = (isOn: (config: Config) => boolean, variable: string) => (config: Config) =>
  isOn(config) ? null : `It needs a key. The operator of the service can set ${variable}.`

/** All sources of the engine, by the name under which their calls are reported. */
const SOURCES: Known[] = [
  {
    name: WEB_SITES,
    kind: 'website',
    about: 'Pages, news and people on the companies’ own sites. Each site is requested separately.',
    whyOff: named('website'),
  },
  ...Object.values(JOB_BOARDS)
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(
      ({ name }): Known => ({
        name,
        kind: 'job_board',
        about: 'Open positions of companies.',
        whyOff: named('job-boards'),
      }),
    ),
  {
    name: GITHUB,
    kind: 'software',
    about: 'Releases and new repositories of companies. Limited to 60 calls an hour.',
    whyOff: named('github'),
  },
  {
    name: STATUS_PAGES,
    kind: 'software',
    about: 'Incidents that companies report. Each page is requested separately.',
    whyOff: named('status-pages'),
  },
  {
    name: EDGAR,
    kind: 'filings',
    about: 'Filings of companies in the United States, and officers they name.',
    whyOff: (config) => named('sec')(config) ?? (edgarContactEmail({ config }) ? null : edgarDisabledReason(config)),
  },
  {
    name: usaspending.name,
    kind: 'awards',
    about: 'Contracts that the government of the United States awards to companies.',
    whyOff: named(usaspending.source),
  },
  {
    name: ted.name,
    kind: 'awards',
    about: 'Public contracts that companies win in Europe.',
    whyOff: named(ted.source),
  },
  {
    name: nihReporter.name,
    kind: 'awards',
    about: 'Grants for research in small companies of the United States.',
    whyOff: named(nihReporter.source),
  },
  ...Object.values(warn.feedNames ?? {}).map(
    (name): Known => ({
      name,
      kind: 'layoff_notices',
      about: 'Layoff notices that employers must file.',
      whyOff: named(warn.source),
    }),
  ),
  { name: hackerNews.name, kind: 'news', about: 'Stories that name a company.', whyOff: named('hacker-news') },
  {
    name: gdelt.name,
    kind: 'news',
    about:
      'News sites of the whole world in English, read once for all accounts. Source: The GDELT Project (gdeltproject.org).',
    whyOff: named(gdelt.source),
  },
  ...[globenewswire, prNewswire].map(
    ({ name, source }): Known => ({
      name,
      kind: 'news',
      about: 'Press releases as they are sent out, read once for all accounts.',
      whyOff: named(source),
    }),
  ),
  {
    name: wikidata.name,
    kind: 'firmographics',
    about: 'Size, industry and location of companies.',
    whyOff: named('wikidata'),
  },
  {
    name: gleif.name,
    kind: 'registers',
    about: 'Legal names, addresses and parents of companies worldwide.',
    whyOff: named(gleif.source),
  },
  {
    name: companiesHouse.name,
    kind: 'registers',
    about: 'Legal names, addresses and parents of companies of the United Kingdom.',
    whyOff: (config) =>
      named(companiesHouse.source)(config) ?? keyed(companiesHouse.isOn, 'COMPANIES_HOUSE_KEY')(config),
  },
  {
    name: companiesHouseStream.name,
    kind: 'filings',
    about: 'New directors of companies of the United Kingdom, read once for all accounts.',
    whyOff: (config) =>
      named(companiesHouseStream.source)(config) ??
      keyed(({ COMPANIES_HOUSE_STREAM_KEY: key }) => key !== null, 'COMPANIES_HOUSE_STREAM_KEY')(config),
  },
  {
    name: PDL,
    kind: 'people',
    about: 'Who works at a company, and phone numbers.',
    whyOff: keyed(peopleDataLabs.isOn, 'PDL_API_KEY'),
  },
  {
    name: MAIL_SERVERS,
    kind: 'email_verification',
    about: 'Whether a mailbox exists. Each mail server is queried separately.',
    whyOff: (config) =>
      smtp.isOn(config) ? null : 'Mail servers need a sender address: an admin can set one under email verification.',
  },
  {
    name: ZEROBOUNCE,
    kind: 'email_verification',
    about: 'Whether a mailbox exists, where mail servers do not disclose it.',
    whyOff: keyed(zerobounce.isOn, 'ZEROBOUNCE_API_KEY'),
  },
  {
    name: LANGUAGE_MODEL,
    kind: 'language_model',
    about:
      'Rewrites generated headlines and messages, checks findings in doubt, and reads documents that are not in English, which are otherwise skipped.',
    whyOff: ({ LLM_BASE_URL, LLM_MODEL }) =>
      LLM_BASE_URL && LLM_MODEL
        ? null
        : `None is configured. The operator of the service can set ${LLM_BASE_URL ? 'LLM_MODEL' : 'LLM_BASE_URL and LLM_MODEL'}.`,
  },
]

/** The names of all sources, and why each that is off is off. */
export function listKnownSources(config: Config): { name: string; kind: Listed['kind']; off: string | null }[] {
  return SOURCES.map(({ name, kind, whyOff }) => ({ name, kind, off: whyOff(config) }))
}

/** All sources with the outcome of their last call. */
export async function listSources(
  parts: Pick<Deps, 'db' | 'config' | 'classifier'>,
  workspaceId: string,
): Promise<Listed[]> {
  const { db, classifier } = parts
  const [config, health, reading] = await Promise.all([
    verificationConfig(parts, workspaceId),
    listProviderHealth(db),
    classifier.checkRuntime(),
  ])
  const known = new Map(health.map((one) => [one.provider, one]))
  return [
    ...SOURCES.map(({ whyOff, ...source }) => {
      const off = whyOff(config)
      const { kind, message = null, since = null, ok_at = null } = known.get(source.name) ?? {}
      const common = { ...source, enabled: off === null, last_ok_at: ok_at }
      if (off !== null) return { ...common, state: 'off' as const, since: null, message: off }
      if (kind === undefined) return { ...common, state: 'unknown' as const, since: null, message: null }
      return { ...common, state: kind ? ('failing' as const) : ('works' as const), since, message }
    }),
    {
      name: 'The reader',
      kind: 'reader',
      about: 'Detects which signals of a company a text reports, on this machine.',
      enabled: true,
      state: reading.ready ? 'works' : 'failing',
      since: null,
      message: reading.ready ? null : classifierUnavailableMessage(reading.reason),
      last_ok_at: null,
    },
  ]
}
