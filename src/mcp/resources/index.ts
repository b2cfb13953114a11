import { accountResource } from './account.ts'
import type { ResourceDefinition } from './define.ts'
import { knowledgeSectionResource } from './knowledge-base.ts'
import { personResource } from './person.ts'
import { signalCatalogueResource, signalResource } from './signal.ts'

export const RESOURCES: readonly ResourceDefinition[] = [
  accountResource,
  personResource,
  knowledgeSectionResource,
  signalCatalogueResource,
  signalResource,
]
