import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { company, vendorNet } from '../../../test/support/vendors.ts'
import { itemsResult } from '../types.ts'
import { resolveDomain, wikidata } from './wikidata.ts'

const net = await vendorNet()
after(() => net[Symbol.asyncDispose]())

const acme = company('Acme Robotics', { wikidata: { id: 'Q1', employees: 250 } })

function world(...companies: (typeof acme)[]): void {
  net.world = { ...net.world, companies }
  net.asked()
}

const FACTS = {
  name: 'Acme Robotics',
  employees: 250,
  industry: 'robotics',
  location: 'Leipzig, Germany',
  country: 'Germany',
  short_description: 'maker of warehouse robots',
  logo_url: 'https://commons.wikimedia.org/wiki/Special:FilePath/Acme%20Robotics.svg',
  founded_year: 2015,
}

test('a company is found by its website, whatever its name, with the latest number of employees', async () => {
  world(acme)
  const found = await wikidata.fetchFirmographics(net.deps(), { name: 'ACME', domain: 'acmerobotics.example' })
  assert.deepEqual(found, itemsResult([FACTS]))
  const [asked = ''] = net.asked()
  const url = new URL(asked)
  assert.equal(url.origin + url.pathname, 'https://query.wikidata.org/sparql')
  assert.equal(url.searchParams.get('format'), 'json')
  const query = url.searchParams.get('query') ?? ''
  for (const site of ['http://acmerobotics.example', 'https://www.acmerobotics.example/']) {
    assert.ok(query.includes(`<${site}>`), site)
  }
})

test('a company without a domain is found by its exact name if only one has it', async () => {
  world(acme)
  assert.deepEqual(
    await wikidata.fetchFirmographics(net.deps(), { name: 'Acme Robotics', domain: null }),
    itemsResult([FACTS]),
  )
  world(acme, company('Acme Robotics', { domain: 'other.example', wikidata: { id: 'Q2', employees: null } }))
  assert.deepEqual(await wikidata.fetchFirmographics(net.deps(), { name: 'Acme Robotics', domain: null }), {
    outcome: 'nothing',
  })
})

test('a namesake with another website is not the company', async () => {
  world(acme)
  const found = await wikidata.fetchFirmographics(net.deps(), {
    name: 'Acme Robotics',
    domain: 'acme-robotics.example',
  })
  assert.deepEqual(found, { outcome: 'nothing' })
})

test('of several items with one website the one with the name is used, and none without it', async () => {
  const part = company('Acme Arms', { domain: acme.domain, wikidata: { id: 'Q3', employees: 9 } })
  world(part, acme)
  assert.deepEqual(
    await wikidata.fetchFirmographics(net.deps(), { name: 'Acme Robotics Inc.', domain: acme.domain }),
    itemsResult([FACTS]),
  )
  assert.deepEqual(await wikidata.fetchFirmographics(net.deps(), { name: 'Nobody', domain: acme.domain }), {
    outcome: 'nothing',
  })
})

test('unknown facts are absent', async () => {
  world({ ...acme, wikidata: { id: 'Q1', employees: null } })
  const found = await wikidata.fetchFirmographics(net.deps(), acme)
  assert.equal(found.outcome === 'items' && 'employees' in (found.items[0] as object), false)
})

test('a name resolves to the domain of the only company that has it', async () => {
  const namesake = company('Acme Robotics', { domain: 'other.example', wikidata: { id: 'Q2', employees: null } })
  world(acme)
  const resolve = (name: string, country?: string) => resolveDomain(net.deps(), { name, country })
  const sure = { outcome: 'found', domain: 'acmerobotics.example' }
  assert.deepEqual(await resolve('Acme Robotics'), sure)
  assert.deepEqual(await resolve('Acme Robotics, Inc.'), sure, 'the label of an item rarely has the legal form')
  const none = (reason: string) => ({ outcome: 'nothing', reason: `Wikidata: ${reason}.` })
  assert.deepEqual(await resolve('Acme'), none('no company of this name'))
  const elsewhere = none('a company of this name in another country, with acmerobotics.example')
  assert.deepEqual(await resolve('Acme Robotics', 'JP'), elsewhere)
  world(acme, namesake)
  assert.deepEqual(await resolve('Acme Robotics'), none('2 companies of this name'))
  net.world = { ...net.world, outages: { wikidata: 'error' } }
  assert.equal((await resolve('Acme Robotics')).outcome, 'failed')
  net.world = { ...net.world, outages: {} }
})

test('a name cannot inject SPARQL', async () => {
  world(acme)
  const name = 'Acme" } UNION { ?item ?p ?o . # \\'
  assert.deepEqual(await wikidata.fetchFirmographics(net.deps(), { name, domain: 'a.example> ?x <' }), {
    outcome: 'nothing',
  })
  const query = new URL(net.asked().at(-1) as string).searchParams.get('query') ?? ''
  assert.ok(query.includes(`${JSON.stringify(name)}@en`))
})
