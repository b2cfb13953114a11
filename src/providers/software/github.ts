import { getDomainWithoutSuffix } from 'tldts'
import { coreWords } from '../../engine/companies/company-names.ts'
import { dateAt, numberAt, textAt, urlAt, valueAt } from '../../engine/json/fields.ts'
import type { CodeLink } from '../../engine/page/service-links.ts'
import { cutText, toStorable } from '../../engine/text/storable.ts'
import { registrableDomain } from '../../engine/text/web-address.ts'
import type { Outbound, OutboundResponse } from '../../outbound/client.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { isoDate } from '../../shared/days.ts'
import { failedResult, type ProviderResponse, reportUnexpectedFormat, requestJson } from '../request.ts'
import {
  type CompanyRef,
  type FoundDocument,
  itemsResult,
  mergeResults,
  type ProviderDeps,
  type SourceResult,
} from '../types.ts'

export const GITHUB = 'GitHub'

const API = 'https://api.github.com'
/** One call at a time, as its documentation asks. */
const PACE: Pace = { kind: 'github', intervalMs: 500, burst: 2, concurrency: 1 }
const HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }
const MAX_BYTES = 2 * 1024 * 1024
/** 60 calls an hour for one address: four a company. */
const MAX_ORGANISATIONS = 2
const MAX_REPOSITORIES = 50
const MAX_READ_RELEASES_OF = 2
const MAX_RELEASES = 10
const MAX_TEXT_CHARS = 20_000

const REPOSITORY = /^[\w.-]{1,100}$/
/** Mended and not made: what changes at the third place is no news. */
const PATCH = /\d+\.\d+\.(?!0(?:\D|$))\d+/

/** Until when no more may be asked, by client: all calls of a process come from one address. */
const spent = new WeakMap<Outbound, number>()

/** New repositories and releases of the organisation that a company's own pages link to, since a day. */
export async function fetchGithubActivity(
  deps: ProviderDeps,
  company: CompanyRef,
  links: readonly CodeLink[],
  since: string,
): Promise<SourceResult<FoundDocument>> {
  // A link to the organisation says more than one to a repository, which may be anybody's.
  const candidates = links.toSorted((a, b) => Number(b.isOrganisation) - Number(a.isOrganisation))
  for (const link of candidates.slice(0, MAX_ORGANISATIONS)) {
    const response = await requestGithub(deps, `/orgs/${encodeURIComponent(link.organisation)}`)
    if (response.outcome === 'failed') return response
    if (response.outcome === 'nothing') continue
    const login = textAt(response.value, 'login')
    if (!login) return reportUnexpectedFormat(deps, GITHUB)
    if (isTheirs(response.value, link, company)) return readOrganisation(deps, login, since)
  }
  return { outcome: 'nothing' }
}

/**
 * By the site that the organisation names as its own. One that names none has to bear the company's name, too: a link alone
 * may lead to a supplier, or to what the site is made with.
 */
function isTheirs(organisation: unknown, link: CodeLink, company: CompanyRef): boolean {
  const [blog, own] = [textAt(organisation, 'blog'), company.domain && registrableDomain(company.domain)]
  if (blog) return !!own && registrableDomain(blog) === own
  const given = [textAt(organisation, 'login'), textAt(organisation, 'name')].map((name) => joined(name ?? ''))
  const ours = [joined(company.name), joined(own ?? ''), joined((own && getDomainWithoutSuffix(own)) ?? '')]
  return link.isOrganisation && given.some((name) => name !== '' && ours.includes(name))
}

const joined = (name: string): string => coreWords(name).join('')

async function readOrganisation(
  deps: ProviderDeps,
  login: string,
  since: string,
): Promise<SourceResult<FoundDocument>> {
  const query = new URLSearchParams({
    type: 'public',
    // Those that are new or have a release are among those that were pushed to last: one call for both.
    sort: 'pushed',
    direction: 'desc',
    per_page: String(MAX_REPOSITORIES),
  })
  const response = await requestGithub(deps, `/orgs/${encodeURIComponent(login)}/repos?${query}`)
  if (response.outcome !== 'ok') return response
  if (!Array.isArray(response.value)) return reportUnexpectedFormat(deps, GITHUB)
  const repositories = response.value.slice(0, MAX_REPOSITORIES).flatMap(repositoryOf)
  const looks = [
    itemsResult(repositories.flatMap((repository) => (repository.created >= since ? documentOf(repository) : []))),
  ]
  const active = repositories.filter(({ pushed }) => pushed >= since).sort((a, b) => b.stars - a.stars)
  for (const { name } of active.slice(0, MAX_READ_RELEASES_OF)) {
    const look = await readReleases(deps, login, name, since)
    looks.push(look)
    // The next question would only fail as well.
    if (look.outcome === 'failed') break
  }
  return mergeResults(looks)
}

type Repository = {
  name: string
  full_name: string
  url: string
  description: string | null
  created: string
  pushed: string
  stars: number
}

/** Copies of others' work, what is given up, and the organisation's own profile are no news. */
function repositoryOf(value: unknown): Repository[] {
  const [name, full_name, url] = [textAt(value, 'name'), textAt(value, 'full_name'), urlAt(value, 'html_url')]
  const [created, pushed] = [dateAt(value, 'created_at'), dateAt(value, 'pushed_at')]
  if (!name || !full_name || !url || !created || !REPOSITORY.test(name) || name === '.github') return []
  if (valueAt(value, 'fork') === true || valueAt(value, 'archived') === true) return []
  const description = textAt(value, 'description')
  const stars = numberAt(value, 'stargazers_count') ?? 0
  return [{ name, full_name, url, description, created, pushed: pushed ?? created, stars }]
}

/** A name alone tells nothing: without a description there is nothing to read. */
function documentOf({ full_name, url, description, created }: Repository): FoundDocument[] {
  if (!description) return []
  return [{ url, kind: 'page', title: textOf(full_name), text: textOf(description), published_date: created }]
}

async function readReleases(
  deps: ProviderDeps,
  login: string,
  repository: string,
  since: string,
): Promise<SourceResult<FoundDocument>> {
  const path = `/repos/${encodeURIComponent(login)}/${repository}/releases?per_page=${MAX_RELEASES}`
  const response = await requestGithub(deps, path)
  if (response.outcome !== 'ok') return response
  if (!Array.isArray(response.value)) return reportUnexpectedFormat(deps, GITHUB)
  return itemsResult(
    response.value.slice(0, MAX_RELEASES).flatMap((release) => releaseOf(release, login, repository, since)),
  )
}

function releaseOf(release: unknown, login: string, repository: string, since: string): FoundDocument[] {
  const [url, tag, body] = [urlAt(release, 'html_url'), textAt(release, 'tag_name'), textAt(release, 'body')]
  const published = dateAt(release, 'published_at')
  if (!url || !tag || !body || !published || published < since) return []
  if (valueAt(release, 'draft') === true || valueAt(release, 'prerelease') === true || PATCH.test(tag)) return []
  const title = `${textAt(release, 'name') ?? tag} · ${login}/${repository}`
  return [{ url, kind: 'article', title: textOf(title), text: textOf(plain(body)), published_date: published }]
}

/** Without code, marks and whoever wrote which change: nothing reads the first, and nobody needs the last. */
function plain(markdown: string): string {
  return cutText(markdown, MAX_TEXT_CHARS)
    .replaceAll(/```[^`]*```/g, '')
    .replaceAll(/ by @[\w-]+(?:\[bot\])?(?: in \S+)?/g, '')
    .replaceAll(/@[\w-]+/g, '')
    .replaceAll(/\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
    .replaceAll(/^[#>*\-\s]+|[*_`]{1,3}/gm, '')
}

const textOf = (text: string): string => toStorable(cutText(text, MAX_TEXT_CHARS))

async function requestGithub(deps: ProviderDeps, path: string): Promise<ProviderResponse<unknown>> {
  const { outbound } = deps
  const until = spent.get(outbound) ?? 0
  if (deps.now().getTime() < until) {
    return failedResult(`${GITHUB} answers no more calls until ${clock(until)}: its quota is used up.`)
  }
  const isQuota = (response: OutboundResponse) => noteQuota(outbound, response)
  return requestJson(deps, GITHUB, `${API}${path}`, { pace: PACE, headers: HEADERS, maxBytes: MAX_BYTES, isQuota })
}

/** Notes until when nothing is left, and says whether this answer was refused for it. */
function noteQuota(outbound: Outbound, { status, headers }: OutboundResponse): boolean {
  if (headers['x-ratelimit-remaining'] !== '0') return false
  const reset = Number(headers['x-ratelimit-reset']) * 1000
  if (Number.isFinite(reset) && reset > 0) spent.set(outbound, reset)
  return status === 403 || status === 429
}

const clock = (ms: number): string => `${isoDate(new Date(ms))} ${new Date(ms).toISOString().slice(11, 16)} UTC`
