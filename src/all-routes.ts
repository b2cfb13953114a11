import type { Routes } from './http/operation.ts'
import { importRoutes } from './imports/routes.ts'
import { accountRoutes } from './resources/accounts/routes.ts'
import { alertRoutes } from './resources/alerts/routes.ts'
import { apiKeyRoutes } from './resources/api-keys/routes.ts'
import { attentionRoutes } from './resources/attention/routes.ts'
import { companyProfileRoutes } from './resources/company-profile/routes.ts'
import { connectionRoutes } from './resources/connections/routes.ts'
import { crmPushRoutes } from './resources/crm-push/routes.ts'
import { detectionRoutes } from './resources/detections/routes.ts'
import { integrationRoutes } from './resources/integrations/routes.ts'
import { knowledgeBaseRoutes } from './resources/knowledge-base/routes.ts'
import { meRoutes } from './resources/me/routes.ts'
import { memberRoutes } from './resources/members/routes.ts'
import { notificationRoutes } from './resources/notifications/routes.ts'
import { peopleRoutes } from './resources/people/routes.ts'
import { peopleListRoutes } from './resources/people-lists/routes.ts'
import { pushRunRoutes } from './resources/push-runs/routes.ts'
import { runRoutes } from './resources/runs/routes.ts'
import { sessionRoutes } from './resources/sessions/routes.ts'
import { signalRoutes } from './resources/signals/routes.ts'
import { sourceRoutes } from './resources/sources/routes.ts'
import { subscriptionRoutes } from './resources/subscription/routes.ts'
import { webhookDestinationRoutes } from './resources/webhook-destinations/routes.ts'
import { webhookPushRoutes } from './resources/webhook-push/routes.ts'
import { workspaceRoutes } from './resources/workspaces/routes.ts'

/** Every resource of the API. A new one is a folder here and a line below. */
export const ROUTES: Routes[] = [
  knowledgeBaseRoutes,
  companyProfileRoutes,
  signalRoutes,
  accountRoutes,
  detectionRoutes,
  peopleRoutes,
  peopleListRoutes,
  webhookDestinationRoutes,
  webhookPushRoutes,
  crmPushRoutes,
  pushRunRoutes,
  runRoutes,
  importRoutes,
  notificationRoutes,
  alertRoutes,
  integrationRoutes,
  sourceRoutes,
  attentionRoutes,
  connectionRoutes,
  memberRoutes,
  workspaceRoutes,
  apiKeyRoutes,
  sessionRoutes,
  meRoutes,
  subscriptionRoutes,
]
