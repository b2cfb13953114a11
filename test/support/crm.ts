import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { type Internet, startInternet } from '../../sandbox/internet.ts'
import type { Vendor, World } from '../../sandbox/types.ts'
import type { Recorded } from '../../sandbox/vendors/hubspot.ts'

/** Vendors of CRMs hold what they were sent and look at no world. */
const EMPTY: World = { today: '2026-11-14', companies: [], stories: [], filings: [] }

/** An internet with these vendors on it and nothing else. Ends with the test file. */
export async function vendorsOnline(...vendors: Vendor[]): Promise<Internet> {
  const internet = await startInternet((request) => {
    const { hostname } = request.url
    const isHere = (host: string) => (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host)
    const vendor = vendors.find(({ hosts }) => hosts.some(isHere))
    return vendor ? vendor.answer(request, EMPTY) : null
  })
  after(() => internet[Symbol.asyncDispose]())
  return internet
}

type Shape = { method: string; path: string; documentation: string; schema: object }

const ajv = new Ajv2020({ strict: false })
const SHAPES = Object.fromEntries(
  ['hubspot', 'salesforce'].map((name) => {
    const file = new URL(`../fixtures/crm-shapes/${name}.json`, import.meta.url)
    const shapes = JSON.parse(readFileSync(file, 'utf8')) as Shape[]
    return [
      name,
      shapes.map(({ schema, path, ...shape }) => ({ ...shape, path: new RegExp(path), validate: ajv.compile(schema) })),
    ]
  }),
) as Record<string, { method: string; path: RegExp; validate: ValidateFunction }[]>

/** Holds every call a vendor got against what the vendor's documentation says a call looks like. */
export function assertDocumented({ name, calls }: { name: string; calls: Recorded[] }): void {
  assert.ok(calls.length > 0)
  for (const { method, path, body } of calls) {
    const shape = SHAPES[name]?.find((shape) => shape.method === method && shape.path.test(path))
    assert.ok(shape, `${method} ${path} is not documented`)
    assert.ok(
      shape.validate(body),
      `${method} ${path}: ${ajv.errorsText(shape.validate.errors)}\n${JSON.stringify(body)}`,
    )
  }
}
