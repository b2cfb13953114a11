// The signals the service looks for out of the box. The network has one output for each row, in this order.

/** Which side of a deal the company is on. */
export type DealRole = 'acquirer' | 'acquired' | 'merging' | 'seller'

type Row = {
  id: string
  name: string
  description: string
  /** What a claim says of the company: "Acme raised capital: …". */
  predicate: string
  /** What it says instead for a side of a deal. */
  predicateByRole?: Partial<Record<DealRole, string>>
  /** A company seldom has two within days: two reports are then one event even if they share no name and no figure. */
  seldomRepeats: boolean
}

const ROWS = [
  {
    id: 'funding',
    name: 'Funding',
    description: 'The company raised, closed or was granted capital.',
    predicate: 'raised capital',
    seldomRepeats: true,
  },
  {
    id: 'acquisition',
    name: 'Acquisition',
    description: 'The company acquires another, or is acquired.',
    predicate: 'is part of an acquisition or merger',
    predicateByRole: {
      acquirer: 'makes an acquisition',
      acquired: 'is acquired',
      seller: 'sells a business',
      merging: 'merges',
    },
    seldomRepeats: false,
  },
  {
    id: 'leadership_change',
    name: 'Leadership change',
    description: 'An executive joins, leaves or takes another role.',
    predicate: 'changes its leadership',
    seldomRepeats: false,
  },
  {
    id: 'hiring',
    name: 'Hiring',
    description: 'The company recruits, or announces new jobs.',
    predicate: 'is hiring',
    seldomRepeats: false,
  },
  {
    id: 'product_launch',
    name: 'Product launch',
    description: 'The company launches a product, a service or a major version.',
    predicate: 'launches a product',
    seldomRepeats: false,
  },
  {
    id: 'expansion',
    name: 'Expansion',
    description: 'The company opens an office, a plant or a market.',
    predicate: 'expands',
    seldomRepeats: false,
  },
  {
    id: 'partnership',
    name: 'Partnership',
    description: 'The company partners with another organisation.',
    predicate: 'enters a partnership',
    seldomRepeats: false,
  },
  {
    id: 'layoffs',
    name: 'Layoffs',
    description: 'The company cuts jobs or closes a site.',
    predicate: 'cuts jobs',
    seldomRepeats: true,
  },
  {
    id: 'ipo',
    name: 'IPO',
    description: 'The company goes public, or files to.',
    predicate: 'goes public',
    seldomRepeats: true,
  },
  {
    id: 'customer_win',
    name: 'Customer win',
    description: 'The company won a named customer or a contract.',
    predicate: 'wins a customer',
    seldomRepeats: false,
  },
  {
    id: 'technology_adoption',
    name: 'Technology adoption',
    description: 'The company adopts or migrates to a technology.',
    predicate: 'adopts a technology',
    seldomRepeats: false,
  },
  {
    id: 'security_incident',
    name: 'Security incident',
    description: 'The company suffered a breach, an attack or a leak.',
    predicate: 'had a security incident',
    seldomRepeats: true,
  },
] as const satisfies readonly Row[]

export type SignalId = (typeof ROWS)[number]['id']
export type BuiltinSignal = Row & { id: SignalId }

export const BUILTIN_SIGNALS: readonly BuiltinSignal[] = ROWS
export const SIGNAL_IDS: readonly SignalId[] = ROWS.map(({ id }) => id)

const byId = new Map<string, BuiltinSignal>(BUILTIN_SIGNALS.map((signal) => [signal.id, signal]))

/** The row of a built-in signal; undefined for a workspace's own. */
export function findBuiltinSignal(id: string): BuiltinSignal | undefined {
  return byId.get(id)
}

/** A signal's name; one that is not built in is spelled from its id. */
export function signalName(id: string): string {
  const spelled = id.replaceAll(/[_-]+/g, ' ').trim()
  return byId.get(id)?.name ?? spelled.charAt(0).toUpperCase() + spelled.slice(1)
}
