import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeFirmographics } from './profile.ts'

test('texts of a source are truncated to the limits of the API, without splitting a character', () => {
  const long = { industry: `x${'🐑'.repeat(200)}`, short_description: 'y'.repeat(9000), country: 'Norway' }
  const { industry, short_description, country } = mergeFirmographics([long], new Date('2026-11-15'))
  assert.equal(industry, `x${'🐑'.repeat(99)}`)
  assert.equal(short_description, 'y'.repeat(5000))
  assert.equal(country, 'Norway')
})

test('a link of a source that is not a web address is left out', () => {
  const today = new Date('2026-11-15')
  const hostile = { network_url: 'javascript:alert(1)', logo_url: 'data:image/svg+xml,<svg/>' }
  assert.deepEqual(mergeFirmographics([hostile], today), {})
  assert.deepEqual(mergeFirmographics([hostile, { logo_url: 'https://a.example/logo.png' }], today), {
    logo_url: 'https://a.example/logo.png',
  })
})
