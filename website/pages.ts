// Which files of the repository are pages of the site, and in which group of the sidebar.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file of the repository, relative to its root, and its address on the site without an ending. */
export type SourcePage = { source: string; path: string; title: string }
export type Group = { title: string; pages: SourcePage[] }

/** Pages in the order of the sidebar. A file of docs/ that is not named here comes last in Develop. */
const GROUPS: Record<string, string[]> = {
  Start: ['README.md', 'docs/tour.md', 'CHANGELOG.md'],
  Use: ['docs/ranking.md', 'docs/cli.md', 'docs/people.md', 'docs/sources.md', 'docs/rights.md', 'docs/privacy.md'],
  Operate: [
    'docs/operating.md',
    'docs/configuration.md',
    'docs/sign-in.md',
    'docs/kubernetes.md',
    'docs/operating-failover.md',
    'docs/operating-distributed.md',
    'docs/reliability.md',
    'SECURITY.md',
  ],
  Integrate: ['docs/integrating.md', 'packages/client/README.md', 'docs/mcp.md', 'docs/mcp-tools.md'],
  Develop: [
    'CONTRIBUTING.md',
    'docs/architecture.md',
    'docs/adding.md',
    'docs/engine.md',
    'docs/engine-pages.md',
    'training/README.md',
    'docs/benchmarks.md',
    'docs/conformance.md',
  ],
}
const DECISIONS = 'docs/decisions/README.md'

/** Addresses that do not follow from the name of the file. */
const PATHS: Record<string, string> = {
  'README.md': 'overview',
  'packages/client/README.md': 'client',
  'training/README.md': 'training',
  [DECISIONS]: 'decisions/index',
}
/** Titles for the sidebar where the heading of the page does not say what it is among the others. */
const TITLES: Record<string, string> = {
  'README.md': 'Overview',
  'packages/client/README.md': 'TypeScript client',
  'training/README.md': 'Training the model',
  [DECISIONS]: 'All decisions',
}

export function readGroups(root: string): Group[] {
  const page = (source: string): SourcePage => {
    const [, heading] = /^# (.+)$/m.exec(readFileSync(join(root, source), 'utf8')) ?? []
    if (!heading) throw new Error(`${source} has no heading: begin it with "# Title".`)
    const path =
      PATHS[source] ??
      source
        .replace(/^docs\//, '')
        .replace(/\.md$/, '')
        .toLowerCase()
    return { source, path, title: TITLES[source] ?? heading.replaceAll('`', '') }
  }
  const named = new Set(Object.values(GROUPS).flat())
  const others = globSync('docs/*.md', { cwd: root })
    .filter((source) => !named.has(source))
    .sort()
  const decisions = globSync('docs/decisions/[0-9]*.md', { cwd: root }).sort()
  const groups = Object.entries(GROUPS).map(([title, sources]) => ({
    title,
    pages: [...sources, ...(title === 'Develop' ? others : [])].map(page),
  }))
  return [...groups, { title: 'Decisions', pages: [DECISIONS, ...decisions].map(page) }]
}
