import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEPARTMENTS, JOB_LEVELS, readTitle } from './index.ts'

const level = (title: string) => readTitle(title).job_level
const department = (title: string) => readTitle(title).department

test('an assistant of an executive is not an executive', () => {
  for (const title of [
    'Assistant to the Chair',
    'PA to CFO & COO',
    'Executive Secretary to the VP Sales',
    'EA for the CEO',
  ]) {
    assert.equal(level(title), 'Staff', title)
  }
  assert.equal(department('Assistant to the Chief Revenue Officer'), 'Administration')
})

test('the highest part of a double title counts', () => {
  assert.equal(level('SVP, General Counsel & Chief Privacy Officer'), 'C-Team')
  assert.equal(level('Director of Sales and Account Manager'), 'Director')
  assert.equal(level('Vice President / Branch Manager'), 'VP')
})

test('vice, deputy and associate lower the level of the following word', () => {
  assert.equal(level('Vice President, Payments'), 'VP')
  assert.equal(level('Deputy CFO'), 'VP')
  assert.equal(level('Associate General Counsel, Employment'), 'Director')
})

test('a partner of the firm is distinguished from a business partner', () => {
  assert.equal(level('Partner, Tax'), 'C-Team')
  assert.equal(level('Senior People Partner'), 'Staff')
})

test('owner, head, principal and lead are read with the adjacent word', () => {
  assert.equal(level('Salon Owner'), 'C-Team')
  assert.equal(level('Process Owner'), 'Staff')
  assert.equal(level('Head of Merchandising'), 'Director')
  assert.equal(level('Principal Scientist'), 'Staff')
  assert.equal(level('Lead Welder'), 'Staff')
  assert.equal(level('Warehouse Team Lead'), 'Manager')
})

test('full stops, case, accents and abbreviations do not change the result', () => {
  assert.deepEqual(readTitle('SR. V.P., MKTG'), readTitle('Senior Vice President, Marketing'))
  assert.deepEqual(
    readTitle('Geschaeftsfuehrer'.replaceAll('ae', 'ä').replaceAll('ue', 'ü')),
    readTitle('Geschäftsführer'),
  )
  assert.equal(department('Director of R&D'), 'Research')
})

test('the employer named in a title does not decide the department', () => {
  assert.equal(department('CEO of Harbour Analytics'), 'Executive')
  assert.equal(department('Head of Finance at Marketing Lab'), 'Finance')
})

test('titles in other languages have the level and department of their English counterpart', () => {
  const TITLES: [title: string, job_level: string, department: string][] = [
    ['Vertriebsleiterin DACH', 'Director', 'Sales'],
    ['Gebietsverkaufsleiter', 'Director', 'Sales'],
    ['Sachbearbeiter/in Einkauf (m/w/d)', 'Staff', 'Supply Chain'],
    ['Assistenz der Geschäftsführung', 'Staff', 'Administration'],
    ['Directrice des ressources humaines', 'Director', 'People'],
    ['Chargé(e) d’affaires H/F', 'Manager', 'Sales'],
    ['Directora financiera', 'Director', 'Finance'],
    ['Jefe/a de compras', 'Manager', 'Supply Chain'],
    ['Hoofd inkoop', 'Director', 'Supply Chain'],
    ['Medewerker klantenservice (m/v/x)', 'Staff', 'Customer Success'],
    ['Amministratrice delegata', 'C-Team', 'Executive'],
    ['Responsabile dell’ufficio acquisti', 'Manager', 'Supply Chain'],
  ]
  for (const [title, job_level, department] of TITLES)
    assert.deepEqual(readTitle(title), { job_level, department }, title)
})

test('words of English titles keep their English meaning', () => {
  const TITLES: [title: string, job_level: string, department: string][] = [
    ['Labor Counsel', 'Staff', 'Legal'],
    ['Labor Relations Director', 'Director', 'Other'],
    ['Labor and Delivery Nurse', 'Staff', 'Healthcare'],
    ['Socio-economic Analyst', 'Staff', 'Other'],
    ['Medico-Legal Adviser', 'Staff', 'Legal'],
    ['Advocate', 'Staff', 'Marketing'],
    ['Formation Engineer', 'Staff', 'Engineering'],
    ['Drift Engineer', 'Staff', 'Engineering'],
    ['Calculator Engineer', 'Staff', 'Engineering'],
    ['SAV Engineer', 'Staff', 'Engineering'],
    ['Microcontroller Engineer', 'Staff', 'Engineering'],
    ['Personas Research Manager', 'Manager', 'Research'],
    ['Former RAF Officer', 'Staff', 'Other'],
    ['DAF Sales Manager', 'Manager', 'Sales'],
    ['Regional Director, DG', 'Director', 'Other'],
    ['VD Sales', 'Staff', 'Sales'],
    ['Orchestra Conductor', 'Staff', 'Other'],
    ['Head of Lager Brewing', 'Director', 'Other'],
    // The same words in a title of their language.
    ['Leiter Labor', 'Director', 'Research'],
    ['Responsable formation', 'Manager', 'People'],
    ['DAF', 'Director', 'Finance'],
  ]
  for (const [title, job_level, department] of TITLES)
    assert.deepEqual(readTitle(title), { job_level, department }, title)
})

test('any input has a level and a department from the closed sets', () => {
  for (const title of [
    '',
    '???',
    '首席执行官',
    '\u0000',
    'a'.repeat(100_000),
    `Engineer${' '.repeat(100_000)}x`,
    ','.repeat(50_000),
  ]) {
    const reading = readTitle(title)
    assert.ok(JOB_LEVELS.includes(reading.job_level))
    assert.ok(DEPARTMENTS.includes(reading.department))
  }
})
