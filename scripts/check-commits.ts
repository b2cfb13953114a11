// Checks the subjects of new commits: `type(scope): subject`, at most 72 characters. Part of `npm run check`.
//   node scripts/check-commits.ts [--base COMMIT]
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

/** Commits up to this one have longer subjects, and published history does not change. */
const BASE = '607a02185708d607cb4de355dcc6d47a55ecfbcf'
const TYPES = ['feat', 'fix', 'refactor', 'docs', 'test', 'perf', 'build', 'ci', 'chore', 'style', 'revert']
/** Longer subjects are truncated in logs and lists of commits. */
const MAX_LENGTH = 72
const FORMAT = new RegExp(`^(?:${TYPES.join('|')})(?:\\([^()\\s]+\\))?!?: \\S`)

/** The rules that a commit subject breaks, as sentences. */
function subjectProblems(subject: string): string[] {
  const problems: string[] = []
  if (!FORMAT.test(subject)) problems.push(`it must be "type(scope): subject" with a type of: ${TYPES.join(', ')}`)
  // By code points, as git and editors count.
  const length = [...subject].length
  if (length > MAX_LENGTH) problems.push(`it has ${length} characters, ${MAX_LENGTH} are allowed`)
  if (subject.endsWith('.')) problems.push('it must not end with a period')
  return problems
}

/** The output of a git command, or null when git is missing or fails. */
function git(...args: string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  return status === 0 ? stdout : null
}

/** Why the commits after `base` cannot be listed, or null. */
function obstacle(base: string): string | null {
  if (git('rev-parse', '--verify', '--quiet', 'HEAD') === null) return 'git or its repository is not available'
  if (git('merge-base', '--is-ancestor', base, 'HEAD') !== null) return null
  return git('rev-parse', '--is-shallow-repository')?.trim() === 'true'
    ? `this is a shallow clone without the base commit ${base.slice(0, 8)}`
    : `the base commit ${base.slice(0, 8)} is not in the history of HEAD`
}

const { base } = parseArgs({ options: { base: { type: 'string', default: BASE } } }).values
const reason = obstacle(base)
if (reason !== null) console.log(`commits: not checked: ${reason}`)
else {
  const lines = git('log', '--no-merges', '--format=%h%x09%s', `${base}..HEAD`)?.split('\n').filter(Boolean) ?? []
  const refused = lines.flatMap((line) => {
    const [hash = '', ...rest] = line.split('\t')
    const subject = rest.join('\t')
    const problems = subjectProblems(subject)
    return problems.length > 0 ? [`  ${hash} "${subject}": ${problems.join('; ')}`] : []
  })
  if (refused.length > 0) {
    console.error(`Commit subjects that break the format of CONTRIBUTING.md:\n${refused.join('\n')}`)
    process.exitCode = 1
  } else console.log(`commits: ${lines.length} checked`)
}
