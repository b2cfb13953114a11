import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from '../../../test/support/service.ts'

const service = await testService()

test('a new workspace reports no integrations', async () => {
  const { reader, ...connected } = await service.admin.expect(200, 'GET', '/v1/integrations')
  const { email_verification: verification, filings } = connected
  assert.deepEqual(connected, {
    crm: { connected: false, provider: null, connected_at: null, problem: null },
    crms: [],
    chat: { connected: false, channel: '', interactions_url: null, problem: null },
    webhook: { enabled: false, url: null, problem: null },
    webhook_destinations: { count: 0 },
    mcp: { enabled: true, url: `${service.address}/mcp`, last_used_at: null },
    providers: { problems: [] },
    email_verification: { enabled: false, from: null, set_by: null, vendor: null, problem: verification.problem },
    mail: { enabled: false, problem: 'No mail server is configured: set SMTP_URL and MAIL_FROM.' },
    filings: { enabled: false, problem: filings.problem },
  })
  assert.match(verification.problem, /EMAIL_VERIFY_FROM/)
  assert.match(filings.problem, /OUTBOUND_CONTACT/)
  assert.match(reader.version, /^[0-9a-f]{12}$/)
  assert.deepEqual({ ...reader, version: '' }, { ready: true, version: '', problem: null })
})

test('a webhook without a URL is not reported as enabled', async () => {
  await service.admin.expect(200, 'PUT', '/v1/settings/notifications', { webhook_enabled: true })
  const { webhook } = await service.admin.expect(200, 'GET', '/v1/integrations')
  assert.deepEqual(webhook, { enabled: false, url: null, problem: null })
})

test('the company profile of a new workspace has null for unknown fields', async () => {
  const { updated_at, ...profile } = await service.admin.expect(200, 'GET', '/v1/company-profile')
  assert.ok(Date.parse(updated_at) > 0)
  assert.deepEqual(profile, {
    name: 'Bellwether',
    is_name_set: false,
    products: [],
    proofs: [],
    domain: null,
    logo_url: null,
    business_context: null,
    scraped_meta: {},
    refresh: { state: 'idle', started_at: null, ended_at: null, pages_read: [], message: null },
  })
})
