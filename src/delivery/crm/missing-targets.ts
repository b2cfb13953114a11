import type { Crm, CrmObject, FieldMapping, FieldName, VendorField } from '../../providers/crm/vendor/types.ts'
import type { OpenCrm } from './session.ts'

/** Fields that are mapped to a field which the CRM no longer has. The service creates its own fields again. */
export function missingFields(
  { targets, defaultTargets }: Crm,
  object: CrmObject,
  available: readonly VendorField[],
): FieldName[] {
  const known = new Set([...available.map(({ name }) => name), ...Object.values(defaultTargets[object])])
  const mapped = Object.entries(targets[object]) as [FieldName, string][]
  return mapped.flatMap(([field, target]) => (known.has(target) ? [] : field))
}

/** The CRM without the fields whose target it no longer has, so that the others are still written. Throws CrmError. */
export async function withoutMissing(
  target: OpenCrm,
): Promise<{ target: OpenCrm; missing: Record<CrmObject, FieldName[]> }> {
  const { crm, mapping } = target
  const missing: Record<CrmObject, FieldName[]> = { company: [], contact: [] }
  const without: FieldMapping = {}
  for (const object of ['company', 'contact'] as const) {
    const isMapped = Object.keys(mapping[object] ?? {}).length > 0
    if (isMapped) missing[object] = missingFields(crm, object, await crm.listFields(object))
    without[object] = { ...mapping[object], ...Object.fromEntries(missing[object].map((field) => [field, null])) }
  }
  return { target: target.withMapping(without), missing }
}
