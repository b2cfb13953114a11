// Rules for every register: items, nothing and failed are never mixed up, and a name alone proves nothing.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { HostResponse } from '../../../sandbox/internet.ts'
import type { Outage, RegisteredCompany } from '../../../sandbox/types.ts'
import { COMPANIES_HOUSE_KEY } from '../../../sandbox/vendors/companies-house.ts'
import { vendorNet } from '../../../test/support/vendors.ts'
import { loadConfig } from '../../config/config.ts'
import type { ProviderProblem } from '../health.ts'
import type { SourceResult } from '../types.ts'
import { companiesHouse } from './companies-house.ts'
import { gleif } from './gleif.ts'
import { enabledRegisters } from './index.ts'
import { foldPage, proveRecord } from './proven-record.ts'
import type { CompanyRegister, RegisterRecord } from './types.ts'

let alter = (answer: HostResponse) => answer
const net = await vendorNet(
  {},
  () => null,
  (answer) => alter(answer),
)
after(() => net[Symbol.asyncDispose]())

const acme: RegisteredCompany = {
  legal_name: 'ACME ROBOTICS LIMITED',
  lei: '5493001KJTIIGC8Y1R12',
  number: '01234567',
  former_names: ['BOLT WORKS LIMITED'],
  trading_names: ['Acme Arms'],
  country_code: 'GB',
  street: '12 Forge Lane',
  city: 'Leeds',
  postal_code: 'LS1 4AB',
  parent: '00345678',
}
const parent = {
  ...acme,
  legal_name: 'ACME GROUP PLC',
  lei: '5493001KJTIIGC8Y1R13',
  number: '00345678',
  parent: '00456789',
}
const top = {
  ...acme,
  legal_name: 'TOP HOLDINGS LIMITED',
  lei: '5493001KJTIIGC8Y1R14',
  number: '00456789',
  parent: 'none',
}
const namesake = {
  ...acme,
  number: '07654321',
  lei: '5493001KJTIIGC8Y1R15',
  postal_code: 'BS1 5TR',
  street: '9 Quay',
  parent: 'none',
}
const REGISTERED = [acme, parent, { ...top, former_names: [] }, { ...namesake, former_names: [] }]

function setWorld(registered: readonly RegisteredCompany[], outages: Record<string, Outage> = {}): void {
  alter = (answer) => answer
  net.world = { ...net.world, registered, outages }
  net.asked()
}

function itemsOf<T>(found: SourceResult<T>): T[] {
  assert.equal(found.outcome, 'items', JSON.stringify(found))
  return found.outcome === 'items' ? found.items : []
}

const OUTAGES: Outage[] = ['error', 'refused', 'spent', 'garbage', 'misshapen', 'busy', 'stall', 'drop']

const registers: [
  CompanyRegister,
  id: string,
  idsOf: (company: RegisteredCompany) => string | undefined,
  field: string,
][] = [
  [gleif, '5493001KJTIIGC8Y1R12', ({ lei }) => lei, 'legalName'],
  [companiesHouse, '01234567', ({ number }) => number, 'company_number'],
]

for (const [register, id, idOf, field] of registers) {
  describe(register.name, () => {
    const problems = new Map<string, ProviderProblem | null>()
    const health = { report: async (name: string, found: ProviderProblem | null) => void problems.set(name, found) }
    const depsOf = (timeoutMs = 0) => ({ ...net.deps({ COMPANIES_HOUSE_KEY }, { timeoutMs }), health })

    test('finds records by name and by former name, without other companies', async () => {
      setWorld(REGISTERED)
      const ids = async (name: string) => itemsOf(await register.search(depsOf(), name)).map((record) => record.id)
      assert.deepEqual(await ids('Acme Robotics'), [idOf(acme), idOf(namesake)])
      assert.deepEqual(await ids('Bolt Works Ltd'), REGISTERED.slice(0, 2).map(idOf))
      assert.deepEqual(await register.search(depsOf(), 'Acme'), { outcome: 'nothing' })
      assert.deepEqual(await register.search(depsOf(), 'Nobody Anywhere'), { outcome: 'nothing' })
      assert.equal(problems.get(register.name), null)
    })

    test('a record has the legal name, the address of the company, its number and whether it exists', async () => {
      setWorld([acme, { ...namesake, isDissolved: true }])
      const [record] = itemsOf(await register.fetchRecord(depsOf(), id))
      const { other_names, url, ...rest } = record as RegisterRecord
      assert.deepEqual(rest, {
        ...{ register: register.source, id, legal_name: 'ACME ROBOTICS LIMITED', country: 'United Kingdom' },
        ...{ street: '12 Forge Lane', city: 'Leeds', postal_code: 'LS1 4AB', registration_number: '01234567' },
        is_active: true,
      })
      assert.deepEqual(other_names[0], { name: 'BOLT WORKS LIMITED', kind: 'former' })
      assert.ok(url.endsWith(id))
      const [gone] = itemsOf(await register.fetchRecord(depsOf(), idOf(namesake) as string))
      assert.equal(gone?.is_active, false)
      assert.deepEqual(await register.fetchRecord(depsOf(), '../../etc'), { outcome: 'nothing' })
      assert.deepEqual(await register.fetchRecord(depsOf(), id.replace('1', '9')), { outcome: 'nothing' })
    })

    test('an outage, a changed format and a renamed field are failures', async () => {
      const calls = [
        (deps: ReturnType<typeof depsOf>) => register.search(deps, 'Acme Robotics'),
        (deps: ReturnType<typeof depsOf>) => register.fetchRecord(deps, id),
        (deps: ReturnType<typeof depsOf>) => register.relations(deps, id),
      ]
      for (const outage of OUTAGES) {
        setWorld(REGISTERED, { [register.source]: outage })
        for (const call of calls) {
          problems.clear()
          const found = await call(depsOf(outage === 'stall' ? 100 : 0))
          assert.equal(found.outcome, 'failed', `${outage} ${JSON.stringify(found)}`)
          assert.match(found.outcome === 'failed' ? found.reason : '', /^[A-Z].*\.$/)
          assert.ok(problems.get(register.name), outage)
        }
      }
      for (const [at, renamed] of [field, field, register === gleif ? field : 'kind'].entries()) {
        setWorld(REGISTERED)
        alter = (answer) =>
          answer !== null && typeof answer === 'object' && typeof answer.body === 'string'
            ? { ...answer, body: answer.body.replaceAll(`"${renamed}"`, '"other"') }
            : answer
        const found = await calls[at]?.(depsOf())
        assert.match(found?.outcome === 'failed' ? found.reason : '', /failed: unexpected response format/, `${at}`)
      }
    })
  })
}

test('parents: GLEIF knows all levels and subsidiaries, Companies House majority owners by number and name', async () => {
  setWorld(REGISTERED)
  const deps = net.deps({ COMPANIES_HOUSE_KEY })
  const of = async (register: CompanyRegister, id: string) => {
    const found = await register.relations(deps, id)
    return found.outcome === 'items'
      ? found.items.map(({ kind, company }) => [kind, company.legal_name])
      : found.outcome
  }
  assert.deepEqual(await of(gleif, acme.lei as string), [
    ['parent', 'ACME GROUP PLC'],
    ['ultimate_parent', 'TOP HOLDINGS LIMITED'],
  ])
  assert.deepEqual(await of(gleif, top.lei), [['subsidiary', 'ACME GROUP PLC']])
  assert.equal(await of(gleif, namesake.lei), 'nothing')
  assert.deepEqual(await of(companiesHouse, acme.number), [['parent', 'ACME GROUP PLC']])
  assert.equal(await of(companiesHouse, namesake.number), 'nothing')
  // The number of a company abroad is that of another company here.
  const abroad = { ...parent, legal_name: 'Fremd GmbH', country_code: 'DE', number: '07654321' }
  setWorld([{ ...acme, parent: '07654321' }, abroad, namesake])
  assert.equal(await of(companiesHouse, acme.number), 'nothing')
  // A trustee and an owner of a smaller share are no parents.
  for (const nature of ['ownership-of-shares-75-to-100-percent-as-trust', 'ownership-of-shares-25-to-50-percent']) {
    setWorld(REGISTERED)
    alter = (answer) =>
      answer !== null && typeof answer === 'object' && typeof answer.body === 'string'
        ? { ...answer, body: answer.body.replaceAll('ownership-of-shares-75-to-100-percent', nature) }
        : answer
    assert.equal(await of(companiesHouse, acme.number), 'nothing', nature)
  }
})

test('a search with more results than are read is not complete', async () => {
  const many = Array.from({ length: 201 }, (_, i) => ({
    ...namesake,
    legal_name: `ATLAS ${i} LIMITED`,
    lei: `5493001KJTIIGC8Y1${String(i).padStart(3, '0')}`,
  }))
  setWorld(many)
  const found = await gleif.search(net.deps(), 'Atlas')
  assert.match(found.outcome === 'failed' ? found.reason : '', /lists 201 companies with the words “atlas”/)
  const british = many.map((one, i) => ({ ...one, number: String(10_000_000 + i) }))
  const deps = net.deps({ COMPANIES_HOUSE_KEY })
  setWorld(british)
  const listed = await companiesHouse.search(deps, 'Atlas')
  assert.match(listed.outcome === 'failed' ? listed.reason : '', /lists 201 companies for “atlas”: only 100 were read/)
  setWorld([acme, ...british.map((one, i) => ({ ...one, legal_name: `ACME ROBOTICS ${i} LIMITED` }))])
  const partly = await companiesHouse.search(deps, 'Acme Robotics')
  assert.match((partly.outcome === 'items' && partly.reason) || '', /lists 202 companies/)
  // Those that follow have only some of the words.
  setWorld([acme, ...british.map((one, i) => ({ ...one, legal_name: `ACME ${i} LIMITED` }))])
  const whole = await companiesHouse.search(deps, 'Acme Robotics')
  assert.deepEqual([itemsOf(whole).length, whole.outcome === 'items' && whole.reason], [1, undefined])
})

test('a group with more subsidiaries than are read has all of its parents', async () => {
  const group = Array.from({ length: 101 }, (_, i) => ({
    ...{ ...namesake, legal_name: `ATLAS ${i} LIMITED`, parent: acme.number },
    lei: `5493001KJTIIGC8Y1${String(i + 100).padStart(3, '0')}`,
  }))
  setWorld([...REGISTERED, ...group])
  const found = await gleif.relations(net.deps(), acme.lei as string)
  assert.deepEqual([itemsOf(found).length, found.incomplete], [102, ['subsidiary']])
  assert.match((found.outcome === 'items' && found.reason) || '', /lists 101 subsidiaries: only 100 were read/)
})

test('which registers are on', () => {
  const names = (env: Record<string, string>) => enabledRegisters(loadConfig(env)).map(({ name }) => name)
  assert.deepEqual(names({}), ['GLEIF'])
  assert.deepEqual(names({ COMPANIES_HOUSE_KEY: 'key' }), ['GLEIF', 'Companies House'])
  assert.deepEqual(names({ COMPANIES_HOUSE_KEY: 'key', SOURCES: 'website' }), [])
})

describe('which record is the company', () => {
  const record = (more: Partial<RegisterRecord> = {}): RegisterRecord => ({
    ...{ register: 'gleif', id: '5493001KJTIIGC8Y1R12', legal_name: 'Acme Robotics GmbH', other_names: [] },
    ...{ country: 'Germany', street: 'Hafenstraße 12', city: 'Leipzig', postal_code: '04109' },
    ...{ registration_number: 'HRB 26684', is_active: true, url: 'https://register.example/' },
    ...more,
  })
  const twin = record({
    id: '5493001KJTIIGC8Y1R15',
    registration_number: 'HRB 77001',
    street: 'Am Markt 1',
    postal_code: '20095',
  })
  const account = { name: 'Acme Robotics', domain: 'acme-robotics.example' }
  const idOf = (records: RegisterRecord[], texts: string[], company = account, areAll = true) =>
    proveRecord(company, records, texts.map(foldPage), areAll)?.record.id ?? null
  const imprint = (text: string) => [`Impressum. Acme Robotics GmbH, ${text}. Kontakt: +49 341 5550.`]
  const first = record().id

  test('the number on the imprint decides between namesakes', () => {
    assert.equal(idOf([record(), twin], imprint('Amtsgericht Leipzig, HRB 26684')), first)
    assert.equal(idOf([record(), twin], imprint('HRB26684')), first)
    assert.equal(idOf([record(), twin], imprint(`LEI ${first}`)), first)
    assert.equal(idOf([record(), twin], imprint('HRB 26684 und HRB 77001')), null)
    for (const text of ['HRB 266845', 'Nr. 26684', 'hrb 26684', 'XHRB 26684']) {
      assert.equal(idOf([record(), twin], imprint(text)), null, text)
    }
    // Not next to the name.
    assert.equal(idOf([record()], [`${imprint('Leipzig')}${' Text.'.repeat(200)} HRB 26684`]), null)
    assert.equal(idOf([record()], ['Bolt GmbH, HRB 26684']), null)
    const uk = record({ legal_name: 'ACME ROBOTICS LIMITED', registration_number: '01234567' })
    assert.equal(idOf([uk, twin], ['© Acme Robotics Ltd. Registered in England, no. 1234567.']), first)
    assert.equal(idOf([record({ registration_number: '12345' })], imprint('Nr. 12345')), null)
  })

  test('the full legal name with the address is proof, either alone is none', () => {
    assert.equal(idOf([record(), twin], imprint('04109 Leipzig')), first)
    assert.equal(idOf([record(), twin], imprint('HAFENSTRASSE 12')), first)
    assert.equal(idOf([record(), twin], ['Acme Robotics, Hafenstraße 12, 04109 Leipzig']), null)
    assert.equal(idOf([record(), twin], imprint('Leipzig')), null)
    assert.equal(idOf([record(), record({ id: twin.id })], imprint('04109 Leipzig')), null)
    assert.equal(idOf([record({ legal_name: 'Acme Robotics' })], imprint('04109 Leipzig')), null)
    const full = record({ legal_name: 'Acme Robotics Gesellschaft mit beschränkter Haftung' })
    assert.equal(idOf([full], imprint('04109 Leipzig')), first)
  })

  test('exactly the name of the account is proof if it is the only one and identifies the company', () => {
    const named = { name: 'Acme Robotics GmbH', domain: 'acme-robotics.example' }
    assert.equal(idOf([record()], [], named), first)
    assert.equal(idOf([record(), twin], [], named), null)
    assert.equal(idOf([record()], [], named, false), null)
    assert.equal(idOf([record()], imprint('HRB 26684'), named, false), first)
    assert.equal(idOf([record(), { ...twin, is_active: false }], [], named), first)
    assert.equal(idOf([record()], [], account), null)
    assert.equal(idOf([record({ legal_name: 'Acme Robotics AG' })], [], named), null)
    assert.equal(idOf([record({ legal_name: 'Acme GmbH' })], [], { name: 'Acme GmbH', domain: 'acme.example' }), null)
  })

  test('a company that no longer exists is proven only by its number, and only if no other is', () => {
    const gone = record({ is_active: false })
    assert.equal(idOf([gone], imprint('04109 Leipzig')), null)
    assert.equal(idOf([gone], imprint('HRB 26684')), first)
    assert.equal(idOf([gone, twin], imprint('HRB 26684, Am Markt 1')), twin.id)
  })
})
