/** What the CRM says about an account. */
export const RELATIONSHIPS = ['customer', 'open_deal', 'lost_deal', 'former_customer', 'none'] as const
type Relationship = (typeof RELATIONSHIPS)[number]

const LABELS: Record<Relationship, string> = {
  customer: 'Customer',
  open_deal: 'Open deal',
  lost_deal: 'Lost deal',
  former_customer: 'Former customer',
  none: 'None',
}

/** The display name of a relationship. */
export const relationshipLabel = (relationship: Relationship): string => LABELS[relationship]

/** The relationships for a select. */
export const relationshipOptions = RELATIONSHIPS.map((value) => ({ value, label: LABELS[value] }))
