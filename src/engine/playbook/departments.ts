// The six departments of the playbook: those of job titles, joined where they buy and suffer for the same reasons.
import type { Department } from '../titles/index.ts'

export const BUYING_DEPARTMENTS = ['management', 'sales', 'technology', 'finance', 'people', 'operations'] as const
export type BuyingDepartment = (typeof BUYING_DEPARTMENTS)[number]

export const BUYING_DEPARTMENT_NAMES: Readonly<Record<BuyingDepartment, string>> = {
  management: 'Management',
  sales: 'Sales and marketing',
  technology: 'Technology',
  finance: 'Finance',
  people: 'People',
  operations: 'Operations',
}

/** Words of a sentence that speak to a department. */
export const DEPARTMENT_TOPICS: Readonly<Record<BuyingDepartment, RegExp>> = {
  management: /\b(?:overview|board|growth|growing|group|strategy|leaders?|every (?:site|team)|whole company)\b/i,
  sales: /\b(?:sales\w*|customers?|pipeline|revenue|deals?|leads|marketing|campaigns?|dealers?|prospects?|churn)\b/i,
  technology:
    /\b(?:systems?|platforms?|software|connect\w*|code|data|integrat\w+|engineers?|developers?|cloud|secur\w+|backups?|deploy\w*)\b/i,
  finance:
    /\b(?:finance|books|close|closing|reports?|reporting|figures|cash|audit\w*|board pack|invoic\w+|budgets?|accounts payable|currency|margins?)\b/i,
  people: /\b(?:hir(?:e|es|ing)|recruit\w*|onboard\w*|talent|colleagues|employees|payroll|retention|candidates)\b/i,
  operations:
    /\b(?:sites?|plants?|warehouses?|orders?|stock|deliver\w*|volumes?|service levels?|logistics|picking|production|fleets?|energy|machines?)\b/i,
}

/** Words that name a department, by which a sentence is meant for it alone. */
export const DEPARTMENT_MENTIONS: Readonly<Record<BuyingDepartment, RegExp>> = {
  management: /\b(?:ceos?|boards? of directors)\b/i,
  sales: /\b(?:(?:in|for|of) (?:sales|marketing)|sales (?:teams?|people)|salespeople|marketers)\b/i,
  technology: /\b(?:(?:in|for|of) (?:it|engineering)|it teams?|engineering teams?|developers)\b/i,
  finance: /\b(?:(?:in|for|of|help) finance|finance teams?|accountants|controllers)\b/i,
  people: /\b(?:hr|(?:in|for) human resources|people teams?|recruiters)\b/i,
  operations: /\b(?:(?:in|for|of) (?:operations|logistics)|operations teams?|pickers|warehouse teams?)\b/i,
}

const OF_TITLES: Readonly<Partial<Record<Department, BuyingDepartment>>> = {
  Executive: 'management',
  Sales: 'sales',
  Marketing: 'sales',
  'Customer Success': 'sales',
  Product: 'technology',
  Design: 'technology',
  Engineering: 'technology',
  Data: 'technology',
  IT: 'technology',
  Security: 'technology',
  Research: 'technology',
  Finance: 'finance',
  Legal: 'finance',
  People: 'people',
  Operations: 'operations',
  'Supply Chain': 'operations',
}

/** Null for a department that rarely buys, such as Administration. */
export function buyingDepartment(department: Department | null): BuyingDepartment | null {
  return department ? (OF_TITLES[department] ?? null) : null
}
