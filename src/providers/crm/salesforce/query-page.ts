import { type Static, type TProperties, Type } from 'typebox'
import { Maybe, type ResponseShape, responseShape } from '../vendor/response.ts'

export type QueryPage<Row> = { records: Row[]; nextRecordsUrl?: string | null }

/** The shape of a page of query results whose rows have these fields. */
export function queryPage<P extends TProperties>(fields: P): ResponseShape<QueryPage<Static<Type.TObject<P>>>> {
  return responseShape(Type.Object({ records: Type.Array(Type.Object(fields)), nextRecordsUrl: Maybe(Type.String()) }))
}
