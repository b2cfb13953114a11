import { once } from 'node:events'
import { enableCompileCache, flushCompileCache } from 'node:module'

// The `bellwether` command, loaded in advance: it begins with the first byte on its standard input.
enableCompileCache()
const { main } = await import('../../src/cli/main.ts')
await import('../../src/app/service.ts')
// At the exit it would be too late: this process is killed.
flushCompileCache()
await once(process.stdin, 'data')
process.stdin.destroy()
await main(process.argv)
