import { account } from './account.ts'
import type { Resource } from './define.ts'
import { knowledgeSection } from './knowledge-base.ts'
import { person } from './person.ts'
import { catalogue, signal } from './signal.ts'

export const RESOURCES: readonly Resource[] = [account, person, knowledgeSection, catalogue, signal]
