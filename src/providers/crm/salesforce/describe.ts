import { Type } from 'typebox'
import type { CrmCall, CrmReply } from '../vendor/call.ts'
import { Maybe, responseShape } from '../vendor/response.ts'
import type { CrmObject, VendorField } from '../vendor/types.ts'
import { LABEL } from './errors.ts'
import { describedType, SOBJECT } from './fields.ts'

const ObjectDescription = responseShape(
  Type.Object({
    fields: Type.Array(
      Type.Object({
        name: Type.String(),
        label: Maybe(Type.String()),
        type: Maybe(Type.String()),
        length: Maybe(Type.Integer()),
        unique: Maybe(Type.Boolean()),
        createable: Maybe(Type.Boolean()),
        updateable: Maybe(Type.Boolean()),
      }),
    ),
  }),
)

/** The fields that the connected user sees. */
export async function listFields(
  call: (method: CrmCall['method'], path: string) => Promise<CrmReply>,
  object: CrmObject,
): Promise<VendorField[]> {
  const { body } = await call('GET', `/sobjects/${SOBJECT[object]}/describe`)
  return ObjectDescription.read(body, LABEL).fields.map((field) => ({
    name: field.name,
    label: field.label || field.name,
    type: describedType(field),
    // Numbers and dates have no length.
    max_length: field.length || null,
  }))
}
