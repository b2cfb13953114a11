import type { Routes } from '../http/operation.ts'
import { accountRoutes } from './accounts/routes.ts'
import { apiKeyRoutes } from './api-keys/routes.ts'
import { companyProfileRoutes } from './company-profile/routes.ts'
import { connectionRoutes } from './connections/routes.ts'
import { crmPushRoutes } from './crm-push/routes.ts'
import { integrationRoutes } from './integrations/routes.ts'
import { knowledgeBaseRoutes } from './knowledge-base/routes.ts'
import { memberRoutes } from './members/routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { peopleRoutes } from './people/routes.ts'
import { peopleListRoutes } from './people-lists/routes.ts'
import { pushRunRoutes } from './push-runs/routes.ts'
import { runRoutes } from './runs/routes.ts'
import { signalRoutes } from './signals/routes.ts'
import { subscriptionRoutes } from './subscription/routes.ts'
import { webhookDestinationRoutes } from './webhook-destinations/routes.ts'
import { webhookPushRoutes } from './webhook-push/routes.ts'

/** Every resource of the API. A new one is a folder here and a line below. */
export const ROUTES: Routes[] = [
  knowledgeBaseRoutes,
  companyProfileRoutes,
  signalRoutes,
  accountRoutes,
  peopleRoutes,
  peopleListRoutes,
  webhookDestinationRoutes,
  webhookPushRoutes,
  crmPushRoutes,
  pushRunRoutes,
  runRoutes,
  notificationRoutes,
  integrationRoutes,
  connectionRoutes,
  memberRoutes,
  apiKeyRoutes,
  subscriptionRoutes,
]
