import type { SandboxOrganisation, SandboxResponse, Vendor, World } from '../types.ts'
import { escapeHtml, json } from './boards.ts'

/** https://docs.github.com/en/rest: organisations, their repositories, releases; and the public pages of releases. */
export const github: Vendor = {
  name: 'github',
  hosts: ['api.github.com', 'github.com'],
  answer({ url }, world) {
    const segments = url.pathname.split('/').filter(Boolean)
    if (url.hostname === 'github.com') return pageOf(segments, world)
    const [kind, login, name, more] = segments
    const organisation = find(world, login)
    if (!organisation) return NOT_FOUND
    if (kind === 'orgs' && segments.length === 2) return limited(organisationOf(organisation))
    const perPage = Number(url.searchParams.get('per_page') ?? 30)
    if (kind === 'orgs' && name === 'repos') {
      const by = url.searchParams.get('sort') === 'created' ? 'created' : 'pushed'
      const sorted = organisation.repositories.toSorted((a, b) => b[by].localeCompare(a[by]))
      return limited(sorted.slice(0, perPage).map((repository) => repositoryOf(organisation, repository)))
    }
    const repository = organisation.repositories.find((each) => each.name === name)
    if (kind !== 'repos' || more !== 'releases' || !repository) return NOT_FOUND
    return limited(repository.releases.slice(0, perPage).map((release) => releaseOf(organisation, repository, release)))
  },
}

type Repository = SandboxOrganisation['repositories'][number]
type Release = Repository['releases'][number]

const NOT_FOUND = json(404, {
  message: 'Not Found',
  documentation_url: 'https://docs.github.com/rest',
  status: '404',
})

const limited = (body: unknown): SandboxResponse =>
  json(200, body, {
    'x-github-media-type': 'github.v3; format=json',
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '41',
    'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 1_800),
    'x-ratelimit-resource': 'core',
  })

const find = ({ companies }: World, login: string | undefined) =>
  companies.find(({ github }) => github?.login.toLowerCase() === login?.toLowerCase())?.github ?? null

function organisationOf({ login, name, blog, repositories }: SandboxOrganisation) {
  return {
    login,
    id: 9_000_001,
    node_id: 'O_sandbox',
    url: `https://api.github.com/orgs/${login}`,
    repos_url: `https://api.github.com/orgs/${login}/repos`,
    description: null,
    name,
    company: null,
    blog,
    location: null,
    email: null,
    twitter_username: null,
    is_verified: false,
    has_organization_projects: true,
    has_repository_projects: true,
    public_repos: repositories.length,
    public_gists: 0,
    followers: 12,
    following: 0,
    html_url: `https://github.com/${login}`,
    created_at: '2019-02-04T10:00:00Z',
    updated_at: '2025-01-09T10:00:00Z',
    type: 'Organization',
  }
}

function repositoryOf({ login }: SandboxOrganisation, repository: Repository) {
  const { name, description, created, pushed, stars, fork = false, archived = false } = repository
  return {
    id: 700_000_000 + stars,
    name,
    full_name: `${login}/${name}`,
    private: false,
    owner: { login, type: 'Organization' },
    html_url: `https://github.com/${login}/${name}`,
    description,
    fork,
    created_at: `${created}T09:12:00Z`,
    updated_at: `${pushed}T09:12:00Z`,
    pushed_at: `${pushed}T09:12:00Z`,
    homepage: '',
    size: 120,
    stargazers_count: stars,
    watchers_count: stars,
    language: 'Go',
    forks_count: 2,
    archived,
    disabled: false,
    open_issues_count: 1,
    license: { key: 'apache-2.0', name: 'Apache License 2.0', spdx_id: 'Apache-2.0' },
    topics: [],
    visibility: 'public',
    default_branch: 'main',
  }
}

const releaseUrl = (login: string, name: string, tag: string) =>
  `https://github.com/${login}/${name}/releases/tag/${tag}`

function releaseOf({ login }: SandboxOrganisation, { name }: Repository, release: Release) {
  const { tag, title, body, published, prerelease = false } = release
  return {
    id: 160_000_000,
    url: `https://api.github.com/repos/${login}/${name}/releases/160000000`,
    html_url: releaseUrl(login, name, tag),
    author: { login: 'sandbox-octopus', type: 'User' },
    tag_name: tag,
    target_commitish: 'main',
    name: title,
    draft: false,
    prerelease,
    created_at: `${published}T08:00:00Z`,
    published_at: `${published}T09:30:00Z`,
    assets: [],
    body,
  }
}

function pageOf([login, name, , , tag]: string[], world: World): SandboxResponse {
  const repository = find(world, login)?.repositories.find((each) => each.name === name)
  const release = repository?.releases.find((each) => each.tag === tag)
  if (!repository || (tag && !release))
    return { status: 404, headers: { 'content-type': 'text/html' }, body: 'Not Found' }
  const shown = release
    ? `<h1>${escapeHtml(release.title)}</h1><pre>${escapeHtml(release.body)}</pre>`
    : repository.description
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: `<main>${shown}</main>` }
}
