import { loadConfig } from '../../src/config/config.ts'
import type { Deps } from '../../src/deps/deps.ts'
import { Reader } from '../../src/engine/reader/index.ts'
import { ReadingPool } from '../../src/engine/threads/pool.ts'

let shared: Pick<Deps, 'reader' | 'reading'> | undefined

/**
 * One for all services and tests of a process: its threads take longer to load than most tests do. One of each, because a
 * test reads little; an idle one holds up no end.
 */
export function sharedEngine(): Pick<Deps, 'reader' | 'reading'> {
  const { READING_TIMEOUT_MS: timeoutMs } = loadConfig({})
  shared ??= { reader: new Reader({ threads: 1 }), reading: new ReadingPool({ threads: 1, timeoutMs }) }
  return shared
}
