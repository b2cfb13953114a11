import { Session } from 'node:inspector'

/**
 * The number of steps of a call: executions of functions, branches and loops, as V8 counts them for coverage, and the
 * characters and items that built-in functions process. Unlike time this is the same on every machine, so a test can
 * check how work grows with its input. Backtracking inside one match is not counted; patterns are checked
 * separately.
 */
export async function countSteps(run: () => unknown): Promise<number> {
  const restore = countBuiltIns()
  try {
    executions()
    builtIn = 0
    await run()
    const gone = builtIn
    return gone + executions()
  } finally {
    restore()
  }
}

// Only functions compiled after this are counted: a test must import this module first.
const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

/** The number of executions since the last call. */
function executions(): number {
  let steps = 0
  // Synchronous: the session belongs to this thread.
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error) throw error
    for (const { url, functions } of coverage.result) {
      if (!url.startsWith('file:') || url.includes('/test/')) continue
      for (const { ranges } of functions) for (const { count } of ranges) steps += count
    }
  })
  return steps
}

let builtIn = 0

type Method = (this: never, ...args: never[]) => unknown
/** The steps of a call, from its receiver, its arguments and its result. */
type Cost = (self: { length: number }, args: readonly unknown[], result: unknown) => number

const whole: Cost = (self) => self.length
const found: Cost = (self, [, from], at) =>
  (typeof at === 'number' && at >= 0 ? at : self.length) - (typeof from === 'number' ? Math.max(0, from) : 0)
const given: Cost = (_, args) => args.length
const taken: Cost = (_self, _args, result) => (result as { length: number }).length

/** URL parameters: every change serializes all of them again. */
const rewritten: Cost = (self) => (self as unknown as URLSearchParams).size

const STRING: Record<string, Cost> = {
  indexOf: found,
  lastIndexOf: whole,
  includes: whole,
  toLowerCase: whole,
  toUpperCase: whole,
  normalize: whole,
  trim: whole,
  split: whole,
  replaceAll: whole,
  toWellFormed: whole,
  isWellFormed: whole,
}
const ARRAY: Record<string, Cost> = {
  indexOf: found,
  includes: whole,
  join: whole,
  shift: whole,
  unshift: whole,
  splice: whole,
  sort: whole,
  concat: taken,
  slice: taken,
  push: given,
}

/** Wraps the built-in functions whose work is proportional to their input; returns the function that restores them. */
function countBuiltIns(): () => void {
  const undo = [
    ...Object.entries(STRING).map(([name, cost]) => counted(String.prototype, name, cost)),
    ...Object.entries(ARRAY).map(([name, cost]) => counted(Array.prototype, name, cost)),
    counted(JSON, 'parse', (_, [text]) => String(text).length),
    ...['append', 'delete', 'set'].map((name) => counted(URLSearchParams.prototype, name, rewritten)),
    countMatches(),
  ]
  return () => {
    for (const put of undo) put()
  }
}

function counted(owner: object, name: string, cost: Cost): () => void {
  const original = Reflect.get(owner, name) as Method
  return replaced(owner, name, function (this: never, ...args: never[]) {
    const result = Reflect.apply(original, this, args)
    builtIn += cost(this, args, result) + 1
    return result
  })
}

/** Every match of a pattern, in any function, calls `exec`: from its start to the end of the match. */
function countMatches(): () => void {
  const exec = RegExp.prototype.exec
  const undo = replaced(RegExp.prototype, 'exec', function (this: RegExp, text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0
    const match = exec.call(this, text)
    if (match) builtIn += match.index + match[0].length - from + 1
    else builtIn += this.sticky ? 1 : Math.max(0, text.length - from) + 1
    return match
  })
  return undo
}

function replaced(owner: object, name: string, value: unknown): () => void {
  const descriptor = Object.getOwnPropertyDescriptor(owner, name) as PropertyDescriptor
  Object.defineProperty(owner, name, { ...descriptor, value })
  return () => Object.defineProperty(owner, name, descriptor)
}
