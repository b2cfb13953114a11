import { getDomainWithoutSuffix } from 'tldts'
import { coreWords } from '../../engine/companies/company-names.ts'
import { dateAt, isFieldMissing, numberAt, textAt, urlAt, valueAt } from '../../engine/json/fields.ts'
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
/** One request at a time, as the documentation requires. */
const PACE: Pace = { kind: 'github', intervalMs: 500, burst: 2, concurrency: 1 }
const HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }
const MAX_BYTES = 2 * 1024 * 1024
/** 60 requests an hour per IP address: four per company. */
const MAX_ORGANISATIONS = 2
const MAX_REPOSITORIES = 50
const MAX_REPOSITORIES_WITH_RELEASES = 2
const MAX_RELEASES = 10
const MAX_TEXT_CHARS = 20_000
/** The fields that every entry has; some may be null. */
const REPOSITORY_FIELDS = ['name', 'full_name', 'html_url', 'created_at', 'pushed_at']
const RELEASE_FIELDS = ['html_url', 'tag_name', 'published_at', 'body']

const REPOSITORY = /^[\w.-]{1,100}$/
/** A patch release is no news. */
const PATCH = /\d+\.\d+\.(?!0(?:\D|$))\d+/

/** Until when the quota is exhausted, by client: all requests of a process come from one IP address. */
const quotaResetAt = new WeakMap<Outbound, number>()

/** New repositories and releases since a day of the GitHub organisation that the company's pages link to. */
export async function fetchGithubActivity(
  deps: ProviderDeps,
  company: CompanyRef,
  links: readonly CodeLink[],
  since: string,
): Promise<SourceResult<FoundDocument>> {
  // A link to an organisation is stronger evidence than one to a repository, which may belong to another company.
  const candidates = links.toSorted((a, b) => Number(b.isOrganisation) - Number(a.isOrganisation))
  for (const link of candidates.slice(0, MAX_ORGANISATIONS)) {
    const response = await requestGithub(deps, `/orgs/${encodeURIComponent(link.organisation)}`)
    if (response.outcome === 'failed') return response
    if (response.outcome === 'nothing') continue
    const login = textAt(response.value, 'login')
    if (!login) return reportUnexpectedFormat(deps, GITHUB)
    if (belongsToCompany(response.value, link, company)) return readOrganisation(deps, login, since)
  }
  return { outcome: 'nothing' }
}

/**
 * By the website in the organisation's profile. Without one, the organisation also has to have the company's name: a
 * link may lead to a supplier, or to software the site is made with.
 */
function belongsToCompany(organisation: unknown, link: CodeLink, company: CompanyRef): boolean {
  const [blog, own] = [textAt(organisation, 'blog'), company.domain && registrableDomain(company.domain)]
  if (blog) return !!own && registrableDomain(blog) === own
  const given = [textAt(organisation, 'login'), textAt(organisation, 'name')].map((name) => joinWords(name ?? ''))
  const ours = [joinWords(company.name), joinWords(own ?? ''), joinWords((own && getDomainWithoutSuffix(own)) ?? '')]
  return link.isOrganisation && given.some((name) => name !== '' && ours.includes(name))
}

const joinWords = (name: string): string => coreWords(name).join('')

async function readOrganisation(
  deps: ProviderDeps,
  login: string,
  since: string,
): Promise<SourceResult<FoundDocument>> {
  const query = new URLSearchParams({
    type: 'public',
    // New and released repositories are among the most recently pushed ones, so one request covers both.
    sort: 'pushed',
    direction: 'desc',
    per_page: String(MAX_REPOSITORIES),
  })
  const response = await requestGithub(deps, `/orgs/${encodeURIComponent(login)}/repos?${query}`)
  if (response.outcome !== 'ok') return response
  if (!Array.isArray(response.value) || isFieldMissing(response.value, ...REPOSITORY_FIELDS))
    return reportUnexpectedFormat(deps, GITHUB)
  const repositories = response.value.slice(0, MAX_REPOSITORIES).flatMap(repositoryOf)
  const results = [
    itemsResult(repositories.flatMap((repository) => (repository.created >= since ? documentOf(repository) : []))),
  ]
  const active = repositories.filter(({ pushed }) => pushed >= since).sort((a, b) => b.stars - a.stars)
  for (const { name } of active.slice(0, MAX_REPOSITORIES_WITH_RELEASES)) {
    const result = await readReleases(deps, login, name, since)
    results.push(result)
    // The next request would fail as well.
    if (result.outcome === 'failed') break
  }
  return mergeResults(results)
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

/** Forks, archived repositories and the organisation's profile repository are no news. */
function repositoryOf(value: unknown): Repository[] {
  const [name, full_name, url] = [textAt(value, 'name'), textAt(value, 'full_name'), urlAt(value, 'html_url')]
  const [created, pushed] = [dateAt(value, 'created_at'), dateAt(value, 'pushed_at')]
  if (!name || !full_name || !url || !created || !REPOSITORY.test(name) || name === '.github') return []
  if (valueAt(value, 'fork') === true || valueAt(value, 'archived') === true) return []
  const description = textAt(value, 'description')
  const stars = numberAt(value, 'stargazers_count') ?? 0
  return [{ name, full_name, url, description, created, pushed: pushed ?? created, stars }]
}

/** Without a description there is no text to read. */
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
  if (!Array.isArray(response.value) || isFieldMissing(response.value, ...RELEASE_FIELDS))
    return reportUnexpectedFormat(deps, GITHUB)
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
  return [{ url, kind: 'article', title: textOf(title), text: textOf(stripMarkdown(body)), published_date: published }]
}

/** Removes code, Markdown syntax and contributor names, which are no content. */
function stripMarkdown(markdown: string): string {
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
  const until = quotaResetAt.get(outbound) ?? 0
  if (deps.now().getTime() < until) {
    return failedResult(`${GITHUB} rate limit exceeded until ${formatTime(until)}.`)
  }
  const isQuota = (response: OutboundResponse) => recordQuota(outbound, response)
  return requestJson(deps, GITHUB, `${API}${path}`, { pace: PACE, headers: HEADERS, maxBytes: MAX_BYTES, isQuota })
}

/** Records until when the quota is exhausted; returns whether this response was rejected because of it. */
function recordQuota(outbound: Outbound, { status, headers }: OutboundResponse): boolean {
  if (headers['x-ratelimit-remaining'] !== '0') return false
  const reset = Number(headers['x-ratelimit-reset']) * 1000
  if (Number.isFinite(reset) && reset > 0) quotaResetAt.set(outbound, reset)
  return status === 403 || status === 429
}

const formatTime = (ms: number): string => `${isoDate(new Date(ms))} ${new Date(ms).toISOString().slice(11, 16)} UTC`
