import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countryName, findCountryCode, findCountryCodes, REGIONS } from './countries.ts'

test('a country is found by its name, its short names and both of its codes', () => {
  for (const [code, spellings] of Object.entries({
    DE: ['Germany', 'germany', 'DE', 'de', 'DEU', 'Deutschland'],
    GB: ['United Kingdom', 'UK', 'U.K.', 'Great Britain', 'gbr', 'England'],
    US: ['United States', 'USA', 'U.S.', 'the United States of America'],
    CI: ["Côte d'Ivoire", 'Ivory Coast', 'Cote d’Ivoire'],
    KR: ['South Korea', 'Republic of Korea', 'Korea, Republic of'],
    TR: ['Türkiye', 'Turkey'],
    BA: ['Bosnia & Herzegovina', 'Bosnia and Herzegovina'],
    LC: ['St. Lucia', 'Saint Lucia'],
    NL: ['The Netherlands', 'Holland'],
  })) {
    for (const spelling of spellings) assert.deepEqual(findCountryCodes(spelling), [code], spelling)
  }
  assert.equal(countryName('CZ'), 'Czechia')
  for (const unknown of ['', 'Atlantis', 'Berlin', 'XX', 'Germ'])
    assert.deepEqual(findCountryCodes(unknown), [], unknown)
})

test('every country that Intl.DisplayNames can name is found by that name', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  // Codes that were withdrawn, are reserved, or name no country.
  const other = new Set(
    'AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH QO RH SU TA TP UK UN VD XA XB YD YU ZR ZZ'.split(' '),
  )
  const own = { GS: 'South Georgia and the South Sandwich Islands', HM: 'Heard Island and McDonald Islands' }
  const differently = { ...own, UM: 'United States Minor Outlying Islands', VC: 'Saint Vincent and the Grenadines' }
  let count = 0
  for (let n = 0; n < 26 * 26; n++) {
    const code = String.fromCharCode(65 + Math.floor(n / 26), 65 + (n % 26))
    const name = names.of(code)
    if (!name || other.has(code)) {
      assert.equal(countryName(code), null, code)
      continue
    }
    count++
    assert.equal(findCountryCode((differently as Record<string, string>)[code] ?? name), code, name)
  }
  assert.equal(count, 250)
})

test('a country is found by its name in the languages of pages, unless that name is ambiguous', () => {
  for (const [code, spellings] of Object.entries({
    DE: ['Allemagne', 'Tyskland', 'Niemcy', 'Saksa'],
    CH: ['Schweiz', 'Suisse', 'Svizzera', 'Suiza'],
    NL: ['Nederland', 'Pays-Bas'],
    CD: ['República Democrática do Congo', 'République démocratique du Congo'],
  })) {
    for (const spelling of spellings) assert.equal(findCountryCode(spelling), code, spelling)
  }
  for (const other of ['Granada', 'Norfolk', 'Maurice', 'Island', 'Kongo'])
    assert.equal(findCountryCode(other), null, other)
})

test('a region is found as its countries', () => {
  assert.deepEqual(findCountryCodes('DACH'), ['DE', 'AT', 'CH'])
  assert.deepEqual(findCountryCodes('the Nordics').toSorted(), ['DK', 'FI', 'IS', 'NO', 'SE'])
  const emea = findCountryCodes('emea')
  for (const code of ['GB', 'DE', 'RS', 'AE', 'TR', 'NG', 'ZA']) assert.ok(emea.includes(code), code)
  for (const code of ['US', 'IN', 'BR', 'KZ']) assert.ok(!emea.includes(code), code)
  assert.deepEqual(findCountryCodes('Asia Pacific'), findCountryCodes('APAC'))
  for (const [name, codes] of Object.entries(REGIONS)) {
    assert.equal(new Set(codes).size, codes.length, name)
    for (const code of codes) assert.ok(countryName(code), `${name}: ${code}`)
  }
})
