import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GeoPlace, isLocatedIn, lookupPlaces, parseLocation, suggestPlaces } from './index.ts'

const shown = (spots: readonly GeoPlace[]) =>
  spots
    .map(({ country, area, city }) => city ?? area ?? country)
    .sort()
    .join(' ')

test('a region, country, state or city is found by its name in common languages', () => {
  for (const [text, expected] of Object.entries({
    DACH: 'AT CH DE',
    Germany: 'DE',
    CA: 'CA',
    California: 'US.CA',
    Bavaria: 'DE.02',
    Bayern: 'DE.02',
    'State of Hesse': 'DE.05',
    Scotland: 'GB.SCT',
    Berlin: 'DE.16',
    'New York': 'US.NY',
    'New York City': 'New York City',
    Muenchen: 'Munich',
    Cologne: 'Köln',
    Wolfsburg: 'Wolfsburg',
    'Greater Boston': 'Boston',
    Midwest: 'US.IA US.IL US.IN US.KS US.MI US.MN US.MO US.ND US.NE US.OH US.SD US.WI',
    London: 'London',
    // A state of Uruguay and a parish of Jamaica are much smaller.
    Florida: 'US.FL',
    Hanover: 'Hannover',
    // Three towns of about the same size, and a country that is also a state.
    Cambridge: 'Cambridge Cambridge Cambridge',
    Georgia: 'GE US.GA',
    'Georgia, US': 'US.GA',
    'Portland, ME': 'Portland',
    Central: '',
    Atlantis: '',
    asdfgh: '',
    '': '',
  })) {
    assert.equal(shown(lookupPlaces(text)), expected, text)
  }
  assert.deepEqual([shown(lookupPlaces('Memmingen', 100)), shown(lookupPlaces('Austria', 100))], ['', 'AT'])
  assert.deepEqual([suggestPlaces('Californa'), suggestPlaces('Skandinavia')[0]], [['California'], 'Nordics'])
})

test('a location is inside or outside of a place, or unknown where it is ambiguous', () => {
  const cases: [string | null, string | null, string, boolean | null][] = [
    ['Munich, Germany', null, 'Bavaria', true],
    ['80331 München', null, 'Germany', true],
    ['Berlin', null, 'Berlin', true],
    ['Berlin', null, 'Brandenburg', false],
    ['San Francisco, CA', null, 'California', true],
    ['San Francisco, CA', null, 'Canada', false],
    ['Toronto, CA', null, 'Canada', true],
    ['Wilmington, DE', null, 'Delaware, US', true],
    ['Berlin, DE', null, 'Germany', true],
    ['New York, NY 10001, USA', null, 'New York', true],
    ['Sydney NSW', 'Australia', 'New South Wales', true],
    ['London EC1A 1BB, United Kingdom', null, 'England', true],
    ['Paris, Texas', null, 'France', false],
    ['Atlanta, Georgia', null, 'US', true],
    ['Tbilisi, Georgia', null, 'US', false],
    ['Unlisted, Bavaria', null, 'Bavaria', true],
    [null, 'Germany', 'DACH', true],
    [null, 'Germany', 'Bavaria', null],
    ['Cambridge', null, 'Massachusetts', null],
    ['Cambridge', 'United States', 'Massachusetts', true],
    ['Springfield, Georgia', null, 'US', null],
    ['Berlin; London', null, 'Germany', null],
    ['Remote', null, 'Germany', null],
    [null, null, 'Germany', null],
  ]
  for (const [location, country, asked, expected] of cases)
    assert.equal(
      isLocatedIn(parseLocation(location, country), lookupPlaces(asked)),
      expected,
      `${location}, ${country} in ${asked}`,
    )
})
