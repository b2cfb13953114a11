import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emailCandidates, isFreeAddress, isRoleAddress } from './index.ts'

const first = (name: string, known: Parameters<typeof emailCandidates>[2] = []) =>
  emailCandidates(name, 'moss.example', known)[0]?.email
const all = (name: string, known: Parameters<typeof emailCandidates>[2] = []) =>
  emailCandidates(name, 'moss.example', known).map(({ email }) => email)

test('without known addresses the most common pattern comes first', () => {
  assert.equal(first('Ada Pike'), 'ada.pike@moss.example')
})

test('a known address with a name determines the pattern', () => {
  assert.equal(first('Ada Pike', [{ email: 'rroe@moss.example', full_name: 'Richard Roe' }]), 'apike@moss.example')
  assert.equal(first('Ada Pike', [{ email: 'Roe.R@moss.example', full_name: 'Richard Roe' }]), 'pike.a@moss.example')
})

test('known addresses without names raise the patterns of their form', () => {
  assert.equal(
    first('Ada Pike', [{ email: 'r.roe@moss.example' }, { email: 'j.doe@moss.example' }]),
    'a.pike@moss.example',
  )
})

test('role addresses and other domains do not change the weights', () => {
  const known = [{ email: 'info@moss.example' }, { email: 'rroe@fern.example', full_name: 'Richard Roe' }]
  assert.deepEqual(emailCandidates('Ada Pike', 'moss.example', known), emailCandidates('Ada Pike', 'moss.example'))
})

test('accents, particles, double names and short forms have their usual spellings', () => {
  assert.ok(all('Jörg Müßig').includes('joerg.muessig@moss.example'))
  assert.ok(all('Jörg Müßig').includes('jorg.mussig@moss.example'))
  assert.ok(all('Karel van den Akker').includes('karel.vandenakker@moss.example'))
  assert.ok(all('Anne-Sophie Blanc').includes('annesophie.blanc@moss.example'))
  assert.ok(all('Inés Soto Vidal').includes('ines.soto@moss.example'))
  assert.ok(all('William Hart').includes('bill.hart@moss.example'))
  assert.equal(first('Dr. Ada Pike, PhD'), 'ada.pike@moss.example')
})

test('weights are shares in descending order, and addresses are unique', () => {
  const found = emailCandidates('Maria Elena Ruiz-Soto', 'moss.example')
  const weights = found.map(({ weight }) => weight)
  assert.deepEqual(
    weights,
    [...weights].sort((a, b) => b - a),
  )
  assert.ok(Math.abs(weights.reduce((a, b) => a + b, 0) - 1) < 0.02)
  assert.equal(new Set(found.map(({ email }) => email)).size, found.length)
})

test('an invalid name or domain has no candidates', () => {
  assert.deepEqual(emailCandidates('Cher', 'moss.example'), [])
  assert.deepEqual(emailCandidates('王小明', 'moss.example'), [])
  assert.deepEqual(emailCandidates('Ada Pike', 'not a domain'), [])
})

test('shared and free addresses are recognised', () => {
  assert.ok(isRoleAddress('Sales@moss.example') && !isRoleAddress('sal@moss.example'))
  assert.ok(isFreeAddress('ada@gmail.com') && !isFreeAddress('ada@moss.example'))
})
