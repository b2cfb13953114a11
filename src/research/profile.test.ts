import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeFirmographics } from './profile.ts'

test('what a source says is no longer than a person may set it, and no letter is cut in two', () => {
  const long = { industry: `x${'🐑'.repeat(200)}`, short_description: 'y'.repeat(9000), country: 'Norway' }
  const { industry, short_description, country } = mergeFirmographics([long], new Date('2026-11-15'))
  assert.equal(industry, `x${'🐑'.repeat(99)}`)
  assert.equal(short_description, 'y'.repeat(5000))
  assert.equal(country, 'Norway')
})

test('a link that a source gives is a link to the web, or left out', () => {
  const today = new Date('2026-11-15')
  const hostile = { network_url: 'javascript:alert(1)', logo_url: 'data:image/svg+xml,<svg/>' }
  assert.deepEqual(mergeFirmographics([hostile], today), {})
  assert.deepEqual(mergeFirmographics([hostile, { logo_url: 'https://a.example/logo.png' }], today), {
    logo_url: 'https://a.example/logo.png',
  })
})
