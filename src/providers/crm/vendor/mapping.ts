import type { CrmObject, FieldMapping, FieldName, FieldTargets } from './types.ts'

/** The targets of a vendor with the changes of a workspace. */
export function applyMapping(defaults: FieldTargets, mapping: FieldMapping): FieldTargets {
  const targetsOf = (object: CrmObject) => {
    const targets = Object.entries({ ...defaults[object], ...mapping[object] })
    return Object.fromEntries(targets.filter(([, name]) => name !== null)) as FieldTargets[CrmObject]
  }
  return { company: targetsOf('company'), contact: targetsOf('contact') }
}

/** The fields that are written to one of the named fields of the CRM. */
export function fieldsAt(targets: FieldTargets[CrmObject], names: string[]): FieldName[] {
  return (Object.entries(targets) as [FieldName, string][])
    .filter(([, name]) => names.includes(name))
    .map(([field]) => field)
}
