import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countryName } from '../engine/countries.ts'
import { countryCode, countryOfLocation } from './countries.ts'

test('a country is known by its name, a usual short form and its code', () => {
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

test('a location gives its country where it says so, and none where it may be several', () => {
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
