import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signatureHashes } from '../engine/technologies/index.ts'
import { compareTechnologies } from './technologies.ts'

const page = (path: string, ...names: string[]) => ({
  place: `https://acme.example${path}`,
  url: `https://acme.example${path}`,
  seen: names.map((name) => ({ name, evidence: `Loads ${name}` })),
})
const records = (...names: string[]) => ({ ...page('', ...names), place: 'dns:acme.example', url: null })

const NEVER = { pages: [], signs: [] }

/** Two consecutive snapshots: the comparison of the second with the stored first. */
function twoLooks(first: ReturnType<typeof page | typeof records>[], second: typeof first, signs = signatureHashes()) {
  const { seen } = compareTechnologies([], NEVER, first)
  const known = seen.map((one) => ({ ...one, is_gone: false }))
  const pages = first.map(({ place }) => place)
  const { missed, adopted } = compareTechnologies(known, { pages, signs }, second)
  return {
    gone: missed.flatMap(({ technology, pages }) => (pages.length === 0 ? [technology] : [])),
    adopted: adopted.map(({ technology, instead_of }) => (instead_of ? `${technology} for ${instead_of}` : technology)),
  }
}

test('a technology has disappeared when all its pages were read without it, and is new where the page was read before', () => {
  const before = [page('/', 'Intercom', 'Segment'), page('/about', 'Intercom'), records('SendGrid')]
  // Everything in the first snapshot is new and yields no findings.
  assert.deepEqual(compareTechnologies([], NEVER, before).adopted, [])
  assert.deepEqual(twoLooks(before, before), { gone: [], adopted: [] })
  // A page, or the name server, that did not respond proves nothing.
  assert.deepEqual(twoLooks(before, [page('/', 'Segment')]), { gone: [], adopted: [] })
  assert.deepEqual(twoLooks(before, [page('/', 'Zendesk'), page('/about'), records()]), {
    gone: ['Intercom', 'Segment', 'SendGrid'],
    adopted: ['Zendesk for Intercom'],
  })
  // It may have been there before; and a tag manager, or a DNS record, is no proof of a purchase.
  assert.deepEqual(twoLooks(before, [...before, page('/pricing', 'Stripe')]).adopted, [])
  const free = [page('/', 'Intercom', 'Segment', 'Google Tag Manager'), page('/about'), records('SendGrid', 'Slack')]
  assert.deepEqual(twoLooks(before, free), { gone: [], adopted: [] })
  // A technology that was not searched for before, or by other signatures, is stored without a finding.
  assert.deepEqual(twoLooks(before, [page('/', 'Zendesk')], []).adopted, [])
  // One replaces another only on the same page, and only in a category with one product at a time.
  const apart = [page('/', 'Segment', 'Zendesk'), page('/about')]
  assert.deepEqual(twoLooks([page('/', 'Segment'), page('/about', 'Intercom')], apart).adopted, ['Zendesk'])
  assert.deepEqual(twoLooks([page('/'), records('Zendesk')], [page('/', 'Intercom'), records()]).adopted, ['Intercom'])
  assert.deepEqual(twoLooks([page('/', 'HubSpot')], [page('/', 'Marketo')]).adopted, ['Marketo'])
})

test('a page that was missing in one snapshot still counts in the next', () => {
  const [intercom] = compareTechnologies([], NEVER, [page('/', 'Intercom'), page('/about', 'Intercom')]).seen
  assert.ok(intercom)
  const { missed } = compareTechnologies([{ ...intercom, is_gone: false }], NEVER, [page('/')])
  assert.deepEqual(missed, [{ technology: 'Intercom', pages: ['https://acme.example/about'] }])
  const { missed: then } = compareTechnologies([{ ...intercom, ...missed[0], is_gone: false }], NEVER, [page('/about')])
  assert.deepEqual(then, [{ technology: 'Intercom', pages: [] }])
})
