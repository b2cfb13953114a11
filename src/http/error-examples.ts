import { accountNotActive, type ErrorCode, notFound } from '../shared/errors.ts'

/** One message per error code, as the service sends it. */
const MESSAGES: Record<ErrorCode, string> = {
  invalid_request: 'name is required.',
  unauthenticated: 'This API key is unknown, revoked or expired.',
  subscription_required: 'Activating an account needs an active subscription.',
  plan_limit_reached: 'All 100 activations of this period are used. Raise the limit, or wait until 2026-12-01.',
  forbidden: 'Only an admin may do this, with a key whose scope is admin.',
  not_found: notFound('record').message,
  method_not_allowed: 'Use GET or POST here.',
  request_timeout: 'The body was sent too slowly.',
  account_active: 'An active account cannot be rejected. Deactivate it first.',
  account_not_active: accountNotActive().message,
  invalid_transition: 'A rejected account cannot be activated. Set its status to "suggested" first.',
  domain_taken: 'Another account of this workspace has this domain.',
  name_taken: 'Another signal of this workspace has this name.',
  signed_in_as_other:
    'This browser is signed in as Dana Lee. Sign out first, or send replace: true to sign Dana Lee out.',
  email_taken: 'Another member of this workspace has this email address.',
  last_admin: 'A workspace needs at least one admin. Make another member an admin first.',
  builtin_signal: 'A built-in signal cannot be deleted. Switch it off with {"enabled": false}.',
  no_active_signal: 'Every signal is switched off. Switch one on before scanning.',
  crm_not_connected: 'No CRM is connected. Connect it with POST /connections.',
  oauth_not_configured:
    'Set CRM_ONE_CLIENT_ID and CRM_ONE_CLIENT_SECRET to connect with consent, or connect with a token.',
  idempotency_key_reused: 'This Idempotency-Key was used for another request. Use a new key for a new request.',
  payload_too_large: 'The request body is too large. Send fewer records in one call.',
  unsupported_media_type: 'Send the body as JSON with "Content-Type: application/json".',
  misdirected:
    'The Host header does not name this service. Call it at its public address. If a proxy is in front, let it forward the Host header, or add its name to ALLOWED_HOSTS.',
  unknown_member: 'member_id must be a member of this workspace; GET /members lists them.',
  unclear_description: 'Few of these are English words. Describe in an English sentence what happens at the company.',
  unknown_signal: 'There is no signal fundings; GET /signals lists them.',
  unknown_destination: 'destination_id must be a destination of this workspace; GET /webhook-destinations lists them.',
  account_not_searchable: 'Some accounts cannot be searched: they are not active, or not visible to you.',
  url_not_allowed:
    'This URL cannot be used. It must name a host on the public internet. An operator can allow other hosts with OUTBOUND_ALLOW.',
  credential_rejected: 'The chat does not accept the token. Connect the chat again with a token that works.',
  rate_limited: 'More than 6000 requests in a minute. Wait 41 seconds.',
  internal: 'Something went wrong on our side. It has been logged under this request_id.',
  unavailable: 'The database cannot be reached right now. Try again shortly.',
}

/** The example of an error response with this code. */
export function errorExample(code: ErrorCode, message = MESSAGES[code]) {
  const details = code === 'invalid_request' ? { details: [{ path: 'name', message: 'is required' }] } : {}
  return { error: { code, message, ...details, request_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87' } }
}
