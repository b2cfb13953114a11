// Parses a Dockerfile and a .dockerignore, as far as ours use the syntax: anything else is an error.
export type Step = {
  name: string
  /** `--from=build` and the like. */
  flags: Record<string, string>
  /** The text after the name and the flags. */
  text: string
  /** Its words; those of the JSON array in exec form. */
  words: string[]
  isExec: boolean
}

export type Stage = { name: string; from: string; steps: Step[] }

const KNOWN = new Set(
  'ARG FROM WORKDIR COPY RUN ENV USER VOLUME EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD LABEL'.split(' '),
)

/** The stages in order, each with its steps; build arguments before the first one are substituted. */
export function parseDockerfile(source: string): Stage[] {
  const stages: Stage[] = []
  const args = new Map<string, string>()
  for (const line of instructions(source)) {
    const step = parseStep(line)
    if (!KNOWN.has(step.name)) throw new Error(`Dockerfile: ${step.name} is not known here.`)
    if (step.name === 'ARG') {
      if (stages.length > 0) throw new Error('Dockerfile: an ARG within a stage is not known here.')
      const [name = '', value = ''] = step.text.split('=')
      args.set(name, value)
    } else if (step.name === 'FROM') {
      const [image = '', , name = ''] = step.words
      stages.push({ name, from: image.replace(/\$\{(\w+)\}/g, (_, arg) => args.get(arg) ?? ''), steps: [] })
    } else {
      const stage = stages.at(-1)
      if (!stage) throw new Error(`Dockerfile: ${step.name} stands before the first FROM.`)
      stage.steps.push(step)
    }
  }
  return stages
}

/** The steps of a stage after those of the stages it is based on. */
export function allSteps(stages: readonly Stage[], stage: Stage): Step[] {
  const base = stages.find(({ name }) => name === stage.from)
  return [...(base ? allSteps(stages, base) : []), ...stage.steps]
}

/** The last step of a name, which is the effective one. */
export function inForce(steps: readonly Step[], name: string): Step {
  const found = steps.findLast((step) => step.name === name)
  if (!found) throw new Error(`Dockerfile: there is no ${name}.`)
  return found
}

/** Environment variables that the steps set. */
export function environmentOf(steps: readonly Step[]): Record<string, string> {
  const pairs = steps.filter(({ name }) => name === 'ENV').flatMap(({ words }) => words)
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))
}

/** Returns whether a path below the build context is ignored: as in Docker, the last matching pattern decides. */
export function parseDockerignore(source: string): (path: string) => boolean {
  const patterns = source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => ({ keeps: line.startsWith('!'), fits: globOf(line.replace(/^!/, '').replace(/\/$/, '')) }))
  return (path) => {
    const parts = path.split('/')
    // A pattern that matches a folder matches its content.
    const paths = parts.map((_, at) => parts.slice(0, at + 1).join('/'))
    const last = patterns.findLast(({ fits }) => paths.some((one) => fits.test(one)))
    return last !== undefined && !last.keeps
  }
}

/** Not path.matchesGlob, in which a star does not match a leading dot. */
function globOf(pattern: string): RegExp {
  const parts = pattern.split(/(\*\*\/|\*\*|\*|\?)/)
  const meaning: Record<string, string> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' }
  return new RegExp(`^${parts.map((part) => meaning[part] ?? part.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')).join('')}$`)
}

/** Joins continued lines and removes comments. */
function instructions(source: string): string[] {
  return source
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}

function parseStep(line: string): Step {
  const [name = ''] = line.split(/\s/, 1)
  let text = line.slice(name.length).trim()
  const flags: Record<string, string> = {}
  for (let flag = FLAG.exec(text); flag; flag = FLAG.exec(text)) {
    flags[flag[1] as string] = flag[2] as string
    text = text.slice(flag[0].length)
  }
  // HEALTHCHECK has one more word before the command.
  const command = name === 'HEALTHCHECK' ? text.replace(/^CMD\s+/, '') : text
  const isExec = command.startsWith('[')
  const words = isExec ? (JSON.parse(command) as string[]) : (command.match(/(?:[^\s"]|"[^"]*")+/g) ?? [])
  return { name: name.toUpperCase(), flags, text, words, isExec }
}

const FLAG = /^--([\w-]+)=(\S+)\s*/
