// Chooses the person to contact about an event. Ranking and drafts use the same choice, so that the draft always addresses the
// person who is shown with it.
import { type BuyingDepartment, buyingDepartment } from '../playbook/departments.ts'
import { departmentDistance, findBuiltinSignal } from '../signals/index.ts'
import { type Department, readTitle } from '../titles/index.ts'

export type Candidate = {
  id: string
  full_name: string
  title: string | null
  has_email: boolean
  /** A lookup found no email. */
  lacks_email: boolean
  has_phone: boolean
  /** Another company, where they were a contact of a deal that the team won. */
  known_from?: string | null
}

/** What an event says about whom it concerns. */
export type EventTarget = {
  signal_id: string
  /** The department it is about; null when it is about the whole company. */
  department: Department | null
  /** The person who was appointed, or who moved. */
  named: { full_name: string; title: string | null } | null
}

export type Recipient = {
  /** Null for a person in the news who is not among the people of the account yet. */
  id: string | null
  full_name: string
  title: string | null
  /** The event is their own new position. */
  is_new: boolean
}

export type RecipientChoice = {
  recipient: Recipient | null
  /** 0 to 1: how much the event concerns them, and how easily they are reached. */
  reach: number
  /** The reason in words: "Ewa Lis, Head of Logistics, with a verified email", "no contact in Finance yet". */
  why: string
}

/** Who is appointed, whom they hire and what they use concerns one department more than other events do. */
export const DEPARTMENTAL: ReadonlySet<string> = new Set([
  'leadership_change',
  'hiring',
  'technology_adoption',
  'job_change',
])

/**
 * The new executive, if their department buys; otherwise the head of the department that the event is about or that buys,
 * otherwise the management. People whose email was not found come last. No one else is chosen: a message to the wrong role
 * gets no reply.
 */
export function chooseRecipient(
  event: EventTarget,
  people: readonly Candidate[],
  buyers: ReadonlySet<Department>,
): RecipientChoice {
  const { named } = event
  const isBuyer = named !== null && buys(named.title, buyers)
  const known = named && people.find(({ full_name }) => isSameName(full_name, named.full_name))
  // Appointments are in the news; a move may concern a person whom not every member may see.
  if (named && isBuyer && !known && event.signal_id !== 'job_change') {
    const who = [named.full_name, named.title].filter(Boolean).join(', ')
    return { recipient: { ...named, id: null, is_new: true }, reach: MIN_ACCESS, why: `${who}, is not in People yet` }
  }
  const distance = departmentDistance(event.signal_id)
  const fitting = people
    .map((person) => ({
      person,
      closeness: person === known && isBuyer ? 1 : closenessOf(event, person, buyers),
      distance: distance(person.title),
      access: accessOf(person),
    }))
    .filter(({ closeness }) => closeness > 0)
    .sort(
      (a, b) =>
        Number(a.access < MIN_ACCESS) - Number(b.access < MIN_ACCESS) ||
        placeOf(b, event) - placeOf(a, event) ||
        a.distance - b.distance ||
        b.access - a.access ||
        seniority(a.person) - seniority(b.person),
    )
  const [best] = fitting
  if (!best) {
    return { recipient: null, reach: 0, why: describeMissing(event, buyers, distance) }
  }
  const { id, full_name, title, ...access } = best.person
  const who = title ? `${full_name}, ${title},` : full_name
  return {
    recipient: { id, full_name, title, is_new: best.person === known && isBuyer },
    // Another person who buys can be reached as well.
    reach: Math.max(...fitting.map(({ closeness, access }) => closeness * access)),
    why: `${who} ${describeAccess(access)}`,
  }
}

function describeAccess({
  has_email,
  has_phone,
  lacks_email,
}: Pick<Candidate, 'has_email' | 'has_phone' | 'lacks_email'>) {
  if (has_email) return 'with a verified email'
  if (has_phone) return 'with a phone number'
  return lacks_email ? 'whose email was not found' : 'without an email yet'
}

function describeMissing(
  { department, signal_id }: EventTarget,
  buyers: ReadonlySet<Department>,
  distance: (title: string) => number,
): string {
  const buys = buyingDepartmentsOf(buyers)
  if (
    department &&
    department !== 'Executive' &&
    DEPARTMENTAL.has(signal_id) &&
    buyers.size > 0 &&
    !buys.has(buyingDepartment(department))
  )
    return `no contact in the management yet, and ${nameOf(department)} is not among your buyers`
  const wanted = department ?? [...buyers].toSorted((a, b) => distance(a) - distance(b))[0]
  return wanted ? `no contact in ${nameOf(wanted)} yet` : 'no contact yet'
}

const nameOf = (department: Department) => (department === 'Executive' ? 'the management' : department)

/** Whether a role buys: any does when the knowledge base names no buyers, and the management always may. */
function buys(title: string | null, buyers: ReadonlySet<Department>): boolean {
  if (!title || isOversight(title) || isSpecialist(title)) return false
  const own = buyingDepartment(readTitle(title).department)
  return own !== null && (buyers.size === 0 || own === 'management' || buyingDepartmentsOf(buyers).has(own))
}

const buyingDepartmentsOf = (buyers: ReadonlySet<Department>): ReadonlySet<BuyingDepartment | null> =>
  new Set([...buyers].map(buyingDepartment))

function closenessOf(event: EventTarget, { title }: Candidate, buyers: ReadonlySet<Department>): number {
  if (!title || isOversight(title) || isSpecialist(title)) return 0
  const { department, job_level } = readTitle(title)
  // A specialist does not decide about a purchase.
  if (job_level === 'Staff' && department !== 'Executive') return 0
  // The people team is concerned by all hiring.
  const isAbout = event.department === department || (event.signal_id === 'hiring' && department === 'People')
  if (buyers.has(department) && (event.department === null || isAbout)) return 1
  if (isAbout && buys(title, buyers)) return 0.9
  // Without named buyers, those whom such events usually concern.
  const usual: readonly Department[] = findBuiltinSignal(event.signal_id)?.draft.departments ?? []
  if (buyers.size === 0 && event.department === null && usual.includes(department)) return 0.8
  if (department === 'Executive') return 0.6
  // A buyer who is not concerned can be reached, but the event is no reason to write to them.
  return buyers.has(department) && !DEPARTMENTAL.has(event.signal_id) ? 0.8 : 0
}

/** A buyer outside the departments that such events concern comes after the management. */
function placeOf({ person, closeness }: { person: Candidate; closeness: number }, event: EventTarget): number {
  const usual: readonly Department[] = findBuiltinSignal(event.signal_id)?.draft.departments ?? []
  const department = person.title ? readTitle(person.title).department : 'Other'
  const isUnusual = usual.length > 0 && event.department === null && !usual.includes(department)
  return isUnusual && department !== 'Executive' ? Math.min(closeness, 0.5) : closeness
}

/** Members of a board oversee a company and do not buy for it. */
const isOversight = (title: string) =>
  /\b(?:board|supervisory|non-executive|chair(?:man|woman|person)?)\b/i.test(title) &&
  !/\b(?:chief|ceo|cfo|cto|coo|managing|president|founder)\b/i.test(title)

/** Titles whose field is the company's trade or a control, not a department that buys for itself: "Chief Risk Officer". */
const isSpecialist = (title: string) =>
  /\b(?:risk|credit|lending|underwriting|claims|actuar\w+|investments?|portfolio|naval|creative|editor\w*)\b/i.test(
    title,
  ) &&
  buyingDepartment(readTitle(title).department) !== null &&
  !/\b(?:ceo|cfo|cto|coo|cio|financ\w+|technology|operati\w+|information|managing|president|founder|executive)\b/i.test(
    title,
  )

/** The access to a person whose email can still be looked up. */
const MIN_ACCESS = 0.4
const accessOf = ({ has_email, lacks_email, has_phone }: Candidate) =>
  Math.min(1, (has_email ? 1 : lacks_email ? 0.2 : MIN_ACCESS) + (has_phone ? 0.3 : 0))

const LEVELS = ['C-Team', 'VP', 'Director', 'Manager', 'Staff']
const seniority = ({ title }: Candidate) => (title ? LEVELS.indexOf(readTitle(title).job_level) : LEVELS.length)

export const isSameName = (a: string, b: string) => a.localeCompare(b, 'en', { sensitivity: 'base' }) === 0
