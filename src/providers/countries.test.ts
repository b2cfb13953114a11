import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countryName } from '../engine/countries.ts'
import { countryCode, countryOfLocation } from './countries.ts'

test('a country is found by its name, a common short form and its code', () => {
  const spellings: [string | null, string | null][] = [
    ['Germany', 'DE'],
    ['germany ', 'DE'],
    ['USA', 'US'],
    ['United States', 'US'],
    ['gb', 'GB'],
    ['UK', 'GB'],
    ['Côte d’Ivoire', 'CI'],
    ['Trinidad & Tobago', 'TT'],
    ['EU', null],
    ['ZZ', null],
    ['DD', null],
    ['Atlantis', null],
    ['', null],
    [null, null],
  ]
  for (const [country, code] of spellings) assert.equal(countryCode(country), code, String(country))
  assert.equal(countryName('DE'), 'Germany')
  assert.equal(countryName('ZZ'), null)
  assert.equal(countryName('de'), null)
})

test('a location yields its country, and none when it is ambiguous', () => {
  const places: [string | null, string | null][] = [
    ['Leeds, United Kingdom', 'GB'],
    ['San Francisco, CA', 'US'],
    ['Remote - Germany', 'DE'],
    ['Remote (US)', 'US'],
    ['Berlin', 'DE'],
    ['Paris, France or London, UK', null],
    ['Springfield, Georgia', null],
    ['Somewhere, DE', null],
    ['Remote', null],
    [null, null],
  ]
  for (const [place, code] of places) assert.equal(countryOfLocation(place), code, String(place))
})
