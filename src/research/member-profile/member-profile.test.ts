import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refused } from '../../../test/support/client.ts'
import { testService } from '../../../test/support/service.ts'
import { getRevision } from '../../resources/knowledge-base/store.ts'
import { listMemberProfiles, saveMemberProfile } from '../../resources/me/profile-store.ts'

const service = await testService()
const { db } = service.deps

const NOTHING_SAVED = {
  job_title: null,
  signature: null,
  tone: 'brief',
  calendar_url: null,
  sample_messages: [],
  greeting: null,
  sign_off: null,
  body_words: null,
  is_complete: false,
}

test('a profile has defaults until the member saves it, changes only for that member, and goes with them', async () => {
  const dana = await service.member({ name: 'Dana', visibility: 'scoped' })
  const other = await service.member({ name: 'Other' })
  assert.deepEqual(await dana.client.expect(200, 'GET', '/v1/me/profile'), { name: 'Dana', ...NOTHING_SAVED })
  const saved = {
    name: 'Dana Whitfield',
    job_title: 'Account Executive',
    signature: 'Dana Whitfield\nNorthwind Freight',
    tone: 'warm',
    calendar_url: 'https://cal.example/dana',
    sample_messages: ['Hi Marta,\n\nhow do you staff the night shift?'],
  }
  const profile = { ...NOTHING_SAVED, ...saved, is_complete: true }
  assert.deepEqual(await dana.client.expect(200, 'PATCH', '/v1/me/profile', saved), profile)
  assert.deepEqual(await dana.client.expect(200, 'GET', '/v1/me/profile'), profile)
  assert.equal((await dana.client.expect(200, 'GET', '/v1/me')).member.name, 'Dana Whitfield')
  assert.deepEqual(await other.client.expect(200, 'GET', '/v1/me/profile'), { name: 'Other', ...NOTHING_SAVED })
  const { signature, is_complete } = await dana.client.expect(200, 'PATCH', '/v1/me/profile', { signature: ' \n' })
  assert.deepEqual([signature, is_complete], [null, true], 'an emptied signature is none; the job title is still known')

  await service.admin.expect(200, 'DELETE', `/v1/members/${dana.id}`)
  const left = await db.selectFrom('member_profiles').select('member_id').execute()
  assert.ok(left.every(({ member_id }) => member_id !== dana.id))
})

test('what was learned from edits is readable and can be forgotten, and nothing else can be written to it', async () => {
  const { client, id } = await service.member()
  await saveMemberProfile(db, service.workspaceId, id, { greeting: 'Hi', sign_off: 'Cheers', body_words: 70 })
  refused(await client.patch('/v1/me/profile', { greeting: 'Yo' }), 400, 'invalid_request')
  const { greeting, sign_off, body_words } = await client.expect(200, 'PATCH', '/v1/me/profile', { greeting: null })
  assert.deepEqual([greeting, sign_off, body_words], [null, 'Cheers', 70])
  const profiles = await listMemberProfiles(db, service.workspaceId)
  assert.equal(profiles.find(({ member_id }) => member_id === id)?.sign_off, 'Cheers')
})

test('a profile is limited in size, its link is https, and a read-only key cannot change it', async () => {
  const { client } = await service.member()
  const invalid = [
    { signature: 'x'.repeat(1_001) },
    { tone: 'loud' },
    { name: ' ' },
    { job_title: 'two\nlines' },
    { calendar_url: 'http://cal.example/dana' },
    { calendar_url: 'javascript:alert(1)' },
    { sample_messages: Array.from({ length: 6 }, () => 'text') },
    { sample_messages: ['x'.repeat(4_001)] },
  ]
  for (const body of invalid) refused(await client.patch('/v1/me/profile', body), 400, 'invalid_request')
  const reader = await service.member({}, { read_only: true })
  refused(await reader.client.patch('/v1/me/profile', { tone: 'warm' }), 403, 'forbidden')
})

test('a change of a profile updates drafts in the background; values that do not differ are no change', async () => {
  const { client, workspaceId } = await service.stranger()
  const revisionAfter = async (path: string, body: object) => {
    await client.expect(200, 'PATCH', path, body)
    return getRevision(db, workspaceId)
  }
  const start = await getRevision(db, workspaceId)
  const mine = { tone: 'formal', sample_messages: ['Dear Ms Li'] }
  assert.equal(await revisionAfter('/v1/me/profile', mine), start + 1)
  assert.equal(await revisionAfter('/v1/me/profile', mine), start + 1)
  const ours = { products: ['Slotline'] }
  assert.equal(await revisionAfter('/v1/company-profile', ours), start + 2)
  assert.equal(await revisionAfter('/v1/company-profile', ours), start + 2)
})
