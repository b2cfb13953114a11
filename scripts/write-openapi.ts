// Writes the OpenAPI document to a file without starting the service.
//   node scripts/write-openapi.ts FILE
import { writeFileSync } from 'node:fs'
import { pino } from 'pino'
import { ROUTES } from '../src/all-routes.ts'
import { loadConfig } from '../src/config.ts'
import { buildServer, type ServerParts } from '../src/http/server.ts'
import { VERSION } from '../src/version.ts'

const [file] = process.argv.slice(2)
if (!file) throw new Error('Name the file to write.')

// It comes from the route tables alone: nothing is asked of what they would work with.
const deps = { config: loadConfig({}), log: pino({ level: 'silent' }) }
const server = buildServer({ deps, queue: {}, pool: {}, version: VERSION, routes: ROUTES } as unknown as ServerParts)
const { body } = await server.inject('/openapi.json')
await server.close()
writeFileSync(file, body)
