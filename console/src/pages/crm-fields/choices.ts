import type { Schemas } from '../../api/client.ts'

export type CrmProvider = Schemas['CrmMapping']['provider']
/** The targets that differ from the defaults; null: not written. */
export type FieldChoices = Record<'companies' | 'contacts', Record<string, string | null>>

/** The choices of a stored mapping. */
export function choicesOf({ companies, contacts }: Schemas['CrmMapping']): FieldChoices {
  const changed = ({ fields }: typeof companies) =>
    Object.fromEntries(
      fields
        .filter(({ target, default_target }) => target !== default_target)
        .map(({ field, target }) => [field, target]),
    )
  return { companies: changed(companies), contacts: changed(contacts) }
}

/** The choices as the API takes them. */
export function toMapping({ companies, contacts }: FieldChoices): Schemas['SetCrmMapping'] {
  const listed = (targets: FieldChoices['companies']) => ({
    fields: Object.entries(targets).map(([field, target]) => ({ field, target })),
  })
  return { companies: listed(companies), contacts: listed(contacts) }
}
