import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FILE = 'TEST_CLOCK_FILE'

/** Environment of a process whose clock `setClock` moves; PostgreSQL keeps the system clock. */
export function movableClock(file: string): Record<string, string> {
  setClock(file, 0)
  return { [FILE]: file, NODE_OPTIONS: `--import=${fileURLToPath(import.meta.url)}` }
}

/** Moves the wall clock of the processes by a number of hours. Monotonic time is not affected. */
export function setClock(file: string, hours: number): void {
  writeFileSync(file, String(hours * 3_600_000))
}

/** Preloaded into a process: it reads the offset of its clock from the file. */
function moveDate(file: string): void {
  const RealDate = Date
  let offset = 0
  const now = () => {
    const text = readFileSync(file, 'utf8')
    // The file is empty for a moment while it is written.
    if (text) offset = Number(text)
    return RealDate.now() + offset
  }
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now()] : args, made),
    apply: () => new RealDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
}

const file = process.env[FILE]
if (file) moveDate(file)
