import { Ajv, type ValidateFunction } from 'ajv'
import { type Static, type TSchema, Type } from 'typebox'
import { CrmError } from './types.ts'

const ajv = new Ajv()
// An error body is read leniently: a number in place of a text must not hide the rest of the error.
const lenient = new Ajv({ coerceTypes: 'array' })

/** The expected shape of a response body. */
export type ResponseShape<T> = {
  /** Returns the body. Throws CrmError busy with the expectation that it does not meet. */
  read: (body: unknown, label: string) => T
  /** Returns the body with simple values converted to the expected types, or null when it has another shape. */
  find: (body: unknown) => T | null
}

/** Declares the shape of a response body: only what the service reads of it. Compiled at the first use. */
export function responseShape<S extends TSchema>(schema: S): ResponseShape<Static<S>> {
  let strict: ValidateFunction | undefined
  let coercing: ValidateFunction | undefined
  return {
    read(body, label) {
      strict ??= ajv.compile(schema)
      if (strict(body)) return body as Static<S>
      const { errors } = strict
      const expected = ajv.errorsText(errors?.slice(0, 1), { dataVar: 'the body' })
      const message = `${label} sent an unexpected response: ${expected}. Try again in a few minutes.`
      throw new CrmError('busy', message, { cause: errors })
    },
    find(body) {
      coercing ??= lenient.compile(schema)
      return coercing(body) ? (body as Static<S>) : null
    },
  }
}

/** A field that vendors leave out or send as null when it is empty. */
export function Maybe<S extends TSchema>(schema: S) {
  return Type.Optional(Type.Union([schema, Type.Null()]))
}
