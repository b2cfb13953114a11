import type { HubspotRecord, HubspotType } from './hubspot-records.ts'

export type HubspotActivityType = 'notes' | 'tasks'
export type HubspotActivity = {
  id: string
  properties: Record<string, string>
  /** The ids of the associated records. */
  companies: string[]
  contacts: string[]
}

/** A response of HubSpot; `category` for an error. */
export type ActivityAnswer = { status: number; body: object } | { status: number; category: string; message: string }

type Association = { to?: { id?: unknown }; types?: { associationCategory?: unknown; associationTypeId?: unknown }[] }

const PROPERTIES: Record<HubspotActivityType, Record<string, readonly string[] | null>> = {
  notes: { hs_timestamp: null, hs_note_body: null, hubspot_owner_id: null, hs_attachment_ids: null },
  tasks: {
    hs_timestamp: null,
    hs_task_subject: null,
    hs_task_body: null,
    hubspot_owner_id: null,
    hs_task_reminders: null,
    hs_task_status: ['COMPLETED', 'NOT_STARTED', 'IN_PROGRESS', 'WAITING', 'DEFERRED'],
    hs_task_priority: ['LOW', 'MEDIUM', 'HIGH'],
    hs_task_type: ['EMAIL', 'CALL', 'TODO'],
  },
}
/** HubSpot's ids of association types, with the records they lead to. */
const TARGETS: Record<HubspotActivityType, Record<number, 'companies' | 'contacts'>> = {
  notes: { 190: 'companies', 202: 'contacts' },
  tasks: { 192: 'companies', 204: 'contacts' },
}
const MAX_TEXT = 65_536
const MAX_INPUTS = 100
const PAGE = 100

/** Notes and tasks: they are created with their associations, and read by id or by the record they belong to. */
export function createActivities(
  records: Record<HubspotType, Map<string, HubspotRecord>>,
  owners: Map<string, unknown>,
  nextId: () => string,
) {
  const activities = { notes: new Map<string, HubspotActivity>(), tasks: new Map<string, HubspotActivity>() }

  function create(type: HubspotActivityType, body: unknown): ActivityAnswer {
    const { properties, associations = [] } = (body ?? {}) as {
      properties?: Record<string, unknown>
      associations?: Association[]
    }
    const wrong = propertyError(type, properties ?? {})
    if (wrong) return invalid(wrong)
    const owner = properties?.hubspot_owner_id
    if (owner !== undefined && !owners.has(String(owner)))
      return invalid(`Property values were not valid: Owner ${owner} does not exist`)
    const activity: HubspotActivity = {
      ...{ id: nextId(), companies: [], contacts: [] },
      properties: properties as Record<string, string>,
    }
    for (const { to, types = [] } of associations) {
      const id = String(to?.id ?? '')
      for (const { associationCategory, associationTypeId } of types) {
        const target = TARGETS[type][Number(associationTypeId)]
        if (associationCategory !== 'HUBSPOT_DEFINED' || !target)
          return invalid(`invalid association type ${associationTypeId} for ${type}`)
        if (!records[target].has(id)) return invalid(`${target} with id ${id} does not exist`)
        activity[target].push(id)
      }
      if (types.length === 0) return invalid('types must not be empty')
    }
    activities[type].set(activity.id, activity)
    return { status: 201, body: shown(activity, Object.keys(activity.properties)) }
  }

  function read(type: HubspotActivityType, body: unknown): ActivityAnswer {
    const { inputs = [], properties = [] } = body as { inputs?: { id: string }[]; properties?: string[] }
    if (inputs.length === 0 || inputs.length > MAX_INPUTS) return invalid(`The batch size must be 1 to ${MAX_INPUTS}`)
    const results = inputs.flatMap(({ id }) => {
      const activity = activities[type].get(id)
      return activity ? [shown(activity, properties)] : []
    })
    return { status: results.length < inputs.length ? 207 : 200, body: { status: 'COMPLETE', results } }
  }

  /** The activities of companies, a page at a time; a company without any is an error in the list, not a result. */
  function associated(type: HubspotActivityType, body: unknown): ActivityAnswer {
    const { inputs = [] } = body as { inputs?: { id: string; after?: string }[] }
    if (inputs.length === 0 || inputs.length > MAX_INPUTS) return invalid(`The batch size must be 1 to ${MAX_INPUTS}`)
    const [[typeId]] = Object.entries(TARGETS[type]) as [[string, string]]
    const results: object[] = []
    const errors: object[] = []
    for (const { id, after = '0' } of inputs) {
      const all = [...activities[type].values()].filter(({ companies }) => companies.includes(id))
      const from = Number(after)
      const to = all.slice(from, from + PAGE).map((activity) => ({
        toObjectId: activity.id,
        associationTypes: [{ category: 'HUBSPOT_DEFINED', typeId: Number(typeId) - 1, label: null }],
      }))
      const next = from + PAGE < all.length ? { paging: { next: { after: String(from + PAGE) } } } : {}
      if (to.length > 0) results.push({ from: { id }, to, ...next })
      else
        errors.push({
          status: 'error',
          category: 'OBJECT_NOT_FOUND',
          subCategory: 'crm.associations.NO_ASSOCIATIONS_FOUND',
          message: `No ${type} are associated with companies ${id}.`,
        })
    }
    const failed = errors.length > 0 ? { numErrors: errors.length, errors } : {}
    return { status: errors.length > 0 ? 207 : 200, body: { status: 'COMPLETE', results, ...failed } }
  }

  return { activities, create, read, associated }
}

function propertyError(type: HubspotActivityType, properties: Record<string, unknown>): string | null {
  if (!properties.hs_timestamp) return 'Property values were not valid: hs_timestamp is required'
  for (const [name, value] of Object.entries(properties)) {
    const options = PROPERTIES[type][name]
    if (options === undefined) return `Property values were not valid: Property "${name}" does not exist`
    if (typeof value !== 'string') return `Property values were not valid: ${name} is not a string`
    if (value.length > MAX_TEXT) return `Property values were not valid: ${name} is too long`
    if (options && !options.includes(value))
      return `Property values were not valid: ${value} was not one of the allowed options`
    if (name === 'hs_timestamp' && !/^\d{13}$/.test(value) && Number.isNaN(Date.parse(value)))
      return `Property values were not valid: ${value} was not a valid timestamp`
  }
  return null
}

function invalid(message: string): ActivityAnswer {
  return { status: 400, category: 'VALIDATION_ERROR', message }
}

function shown({ id, properties }: HubspotActivity, wanted: string[]) {
  const picked = Object.fromEntries(wanted.map((name) => [name, properties[name] ?? null]))
  return { id, properties: { ...picked, hs_object_id: id }, archived: false }
}
