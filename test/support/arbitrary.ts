import fc, { type Arbitrary } from 'fast-check'

/** The parts of JSON Schema that our OpenAPI document uses. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  then?: Schema
  else?: Schema
}

/** Arbitrary texts, including texts that commonly break services. */
const text = fc.oneof(
  fc.constantFrom('', ' ', '\0', 'a\0b', '\ud800', 'x\udfff', '%', '%_\\', "'; --", '\u{1f411}', '\ufeff', '\u202e'),
  fc.constantFrom('null', 'true', '__proto__', '-1', '1e400', 'NaN', '../..', 'ß'.repeat(400), '9'.repeat(40)),
  fc.constantFrom('acme.com', 'https://93.184.216.34/hook', 'sam@team.example', 'http://[::1', 'VP of Sales'),
  fc.string({ maxLength: 20 }),
  fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 8 }),
)

const time = fc.oneof(
  fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((day) => day.toISOString()),
  fc.constantFrom('2030-01-01T00:00:00+23:59', '2030-01-01T00:00:00.123456789-14:59', '2030-01-01t00:00:00z'),
  fc.constantFrom(
    '9999-12-31T23:59:59-14:00',
    '0001-01-01T00:00:00+14:00',
    '2030-02-30T00:00:00Z',
    '2030-06-30T23:59:60Z',
  ),
)

/** A limit, and the values around it. */
const beside = (limit: number | undefined) => (limit === undefined ? [] : [limit - 1, limit, limit + 1])

const LARGE = [2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 3_000_000_000, 2 ** 53, 1e21, -1, 0, 1.5]

/** Values that mostly match a schema, and some that do not. `known` are ids of records. */
export function valuesOf(
  schema: Schema,
  resolve: (ref: string) => Schema,
  known: readonly string[],
): Arbitrary<unknown> {
  const id = fc.constantFrom(...known)
  const of = (node: Schema, name = ''): Arbitrary<unknown> =>
    fc.oneof(
      { arbitrary: fitting(node, name), weight: 12 },
      { arbitrary: fc.oneof(text, fc.constantFrom(...LARGE, null, true, [], {})), weight: 1 },
    )

  function fitting(node: Schema, name: string): Arbitrary<unknown> {
    if (node.$ref) return fitting(resolve(node.$ref), name)
    const branches = node.anyOf ?? [node.then, node.else].filter((branch) => branch !== undefined)
    if (branches.length > 0) return fc.oneof(...branches.map((branch) => of(branch, name)))
    if (node.const !== undefined) return fc.constant(node.const)
    if (node.enum) return fc.constantFrom(...node.enum)
    return fc.oneof(...[node.type ?? 'string'].flat().map((type) => ofType(type, node, name)))
  }

  function ofType(type: string, node: Schema, name: string): Arbitrary<unknown> {
    switch (type) {
      case 'null':
        return fc.constant(null)
      case 'boolean':
        return fc.boolean()
      case 'integer':
      case 'number':
        return fc.oneof(
          fc.integer({ min: Math.max(node.minimum ?? -100, -1000), max: 1000 }),
          fc.constantFrom(...LARGE, ...beside(node.minimum), ...beside(node.maximum)),
        )
      case 'array':
        return fc.oneof(
          { arbitrary: fc.array(of(node.items ?? {}, name), { maxLength: 4 }), weight: 20 },
          // More than any list may contain.
          { arbitrary: fitting(node.items ?? {}, name).map((item) => new Array(1_200).fill(item)), weight: 1 },
        )
      case 'object': {
        const fields = Object.entries(node.properties ?? {}).map(([field, part]) => [field, of(part, field)] as const)
        // Mostly with all required fields: otherwise validation rejects every input.
        const whole = fc.record(Object.fromEntries(fields), { requiredKeys: node.required ?? [] })
        const partial = fc.record(Object.fromEntries(fields), { requiredKeys: [] })
        const more = fc.tuple(whole, fc.dictionary(fc.oneof(text, fc.constant('workspace_id')), text, { maxKeys: 2 }))
        return fc.oneof(
          { arbitrary: whole, weight: 10 },
          { arbitrary: partial, weight: 1 },
          { arbitrary: more.map(([own, others]) => ({ ...others, ...own })), weight: 1 },
        )
      }
      default: {
        if (node.format === 'date-time') return time
        const most = Math.min(node.maxLength ?? 300, 5000)
        const longest = fc.constantFrom('x'.repeat(most), '\u{1f411}'.repeat(most), 'x'.repeat(most + 1))
        return /(^|_)ids?$|^add$|^remove$/.test(name)
          ? fc.oneof(id, id, id, text)
          : fc.oneof(text, text, text, id, longest)
      }
    }
  }

  return of(schema)
}

/** A text percent-encoded byte by byte, including lone surrogates as lenient encoders write them. */
export function inUrl(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return [...text]
    .map((character) => {
      const code = character.codePointAt(0) as number
      if (code < 0xd800 || code > 0xdfff) return encodeURIComponent(character)
      return `%ED%${(0x80 | ((code >> 6) & 0x3f)).toString(16)}%${(0x80 | (code & 0x3f)).toString(16)}`
    })
    .join('')
}
