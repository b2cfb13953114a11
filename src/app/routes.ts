import { testAlertRoutes } from '../delivery/alerts/routes.ts'
import { crmMappingRoutes } from '../delivery/crm/mapping-routes.ts'
import {
  alertReplayRoutes,
  crmPushRoutes,
  deliveryRoutes,
  pushRunRoutes,
  webhookPushRoutes,
} from '../delivery/routes.ts'
import type { Routes } from '../http/operation.ts'
import { importRoutes } from '../imports/routes.ts'
import { revealRoutes } from '../people/email/routes.ts'
import { rosterRoutes } from '../people/roster/routes.ts'
import { peopleSearchRoutes } from '../people/search/routes.ts'
import { privacyRoutes } from '../privacy/routes.ts'
import { accountResearchRoutes } from '../research/accounts/routes.ts'
import { companyProfileRoutes } from '../research/company-profile/routes.ts'
import { crmSyncRoutes } from '../research/crm/routes.ts'
import { runRoutes } from '../research/discovery/routes.ts'
import { feedbackRoutes } from '../research/feedback/routes.ts'
import { knowledgeBaseRoutes } from '../research/knowledge-base/routes.ts'
import { memberProfileRoutes } from '../research/member-profile/routes.ts'
import { playbookRoutes } from '../research/playbook/routes.ts'
import { signalRoutes } from '../research/signals/routes.ts'
import { workItemChangeRoutes } from '../research/work-items/routes.ts'
import { accountRelationRoutes } from '../resources/account-relations/routes.ts'
import { accountRoutes } from '../resources/accounts/routes.ts'
import { alertRuleRoutes } from '../resources/alert-rules/routes.ts'
import { alertRoutes } from '../resources/alerts/routes.ts'
import { apiKeyRoutes } from '../resources/api-keys/routes.ts'
import { attentionRoutes } from '../resources/attention/routes.ts'
import { auditLogRoutes } from '../resources/audit-log/routes.ts'
import { connectionRoutes } from '../resources/connections/routes.ts'
import { detectionRoutes } from '../resources/detections/routes.ts'
import { draftRoutes } from '../resources/drafts/routes.ts'
import { integrationRoutes } from '../resources/integrations/routes.ts'
import { meRoutes } from '../resources/me/routes.ts'
import { memberRoutes } from '../resources/members/routes.ts'
import { notificationRoutes } from '../resources/notifications/routes.ts'
import { peopleRoutes } from '../resources/people/routes.ts'
import { peopleListRoutes } from '../resources/people-lists/routes.ts'
import { reportRoutes } from '../resources/reports/routes.ts'
import { serverSettingRoutes } from '../resources/server-settings/routes.ts'
import { serviceAccountRoutes } from '../resources/service-accounts/routes.ts'
import { sessionRoutes } from '../resources/sessions/routes.ts'
import { setupRoutes } from '../resources/setup/routes.ts'
import { sourceRoutes } from '../resources/sources/routes.ts'
import { subscriptionRoutes } from '../resources/subscription/routes.ts'
import { webhookDestinationRoutes } from '../resources/webhook-destinations/routes.ts'
import { workItemRoutes } from '../resources/work-items/routes.ts'
import { workspaceRoutes } from '../resources/workspaces/routes.ts'

/** The route tables of the API. A new resource is added here. */
export const API_ROUTES: Routes[] = [
  knowledgeBaseRoutes,
  companyProfileRoutes,
  memberProfileRoutes,
  signalRoutes,
  accountRoutes,
  accountRelationRoutes,
  accountResearchRoutes,
  detectionRoutes,
  draftRoutes,
  playbookRoutes,
  feedbackRoutes,
  workItemRoutes,
  workItemChangeRoutes,
  reportRoutes,
  peopleRoutes,
  privacyRoutes,
  peopleSearchRoutes,
  rosterRoutes,
  revealRoutes,
  peopleListRoutes,
  webhookDestinationRoutes,
  deliveryRoutes,
  webhookPushRoutes,
  crmPushRoutes,
  crmMappingRoutes,
  pushRunRoutes,
  runRoutes,
  importRoutes,
  notificationRoutes,
  testAlertRoutes,
  alertRuleRoutes,
  alertRoutes,
  alertReplayRoutes,
  crmSyncRoutes,
  integrationRoutes,
  sourceRoutes,
  attentionRoutes,
  connectionRoutes,
  memberRoutes,
  workspaceRoutes,
  apiKeyRoutes,
  serviceAccountRoutes,
  sessionRoutes,
  meRoutes,
  subscriptionRoutes,
  setupRoutes,
  auditLogRoutes,
  serverSettingRoutes,
]
