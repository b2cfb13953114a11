import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNamedPeople } from './index.ts'
import { findFormerEmployer, findReportedMoves } from './moves.ts'

const words = new Set(['chief', 'officer', 'cfo'])
const read = (text: string, own = false, title: string | null = null) =>
  findNamedPeople({ title, text, own }, { name: 'Acme Robotics', domain: 'acme.example' }, words)
const ADA = [{ full_name: 'Ada Pike', title: 'Chief Financial Officer' }]
const CFO = [{ full_name: 'Ada Pike', title: 'CFO' }]

test('people named with a job at the company are found, and no others', () => {
  const cases: [text: string, people: object[]][] = [
    ['Acme Robotics appoints Ada Pike as Chief Financial Officer.', ADA],
    ['Acme Robotics announced the appointment of Ada Pike as chief financial officer, succeeding Ben Moss.', ADA],
    ['Ada Pike joins Acme Robotics as Chief Financial Officer.', ADA],
    ['“We grew,” said Ada Pike, CFO of Acme Robotics.', CFO],
    ["Acme Robotics' CFO, Ada Pike, said that sales grew.", CFO],
    ['Acme Robotics CFO Ada Pike said that sales grew.', CFO],
    ['“We grew,” said Ada Pike, CFO at Globex, a customer of Acme Robotics.', []],
    ['Acme Robotics makes robots. Ada Pike was named CFO of Globex in May.', []],
    ['Former Acme Robotics CFO Ada Pike joined Globex.', []],
    ['Acme Robotics plans to name Ada Pike CFO.', []],
    ['Globex names Ada Pike CFO.', []],
  ]
  for (const [text, people] of cases) assert.deepEqual(read(text).people, people, text)
  assert.deepEqual(read('It has grown.', false, 'Acme Robotics Names Ada Pike Chief Financial Officer').people, ADA)
})

test('a location is found with the job where the text gives it for that person alone', () => {
  const appointed = 'Acme Robotics appoints Ada Pike as Chief Financial Officer.'
  const cases: [text: string, location?: string, country?: string][] = [
    ['Pike is based in Oslo.', 'Oslo', 'NO'],
    ['Ms. Pike, who lives in Austin, Texas, will lead finance.', 'Austin, Texas', 'US'],
    ['Ada Pike will be based in Oslo. She starts in May.', 'Oslo', 'NO'],
    ['Acme Robotics CFO Ada Pike is based in Oslo.', 'Oslo', 'NO'],
    ['Ada Pike, CFO of Acme Robotics, based in Boston, said so.'],
    ['Pike came from Globex Freight, based in Boston.'],
    ['Ben Pike is based in Oslo.'],
    ['Pike is based in Research.'],
  ]
  for (const [text, location, country_code] of cases) {
    const [person] = read(`${appointed} ${text}`).people
    assert.deepEqual([person?.location, person?.country_code], [location, country_code], text)
  }
  const two = 'Acme Robotics CFO Ben Pike agreed.'
  for (const { location } of read(`${appointed} ${two} Pike is based in Oslo.`).people)
    assert.equal(location, undefined)
})

test('in a filing "the Company" is the company', () => {
  const filed =
    'On March 3, 2026, the Board of Directors of Acme Robotics, Inc. (the “Company”) appointed Ada Pike as the ' +
    'Company’s Chief Financial Officer, effective April 1, 2026.'
  assert.deepEqual(read(filed, true).people, ADA)
  assert.deepEqual(read('Ada Pike, age 45, was appointed as Chief Financial Officer of the Company.', true).people, ADA)
  const long =
    'The Board of Directors of Acme Robotics, Inc. appointed Ada Pike, M.D., age 52, as the Company’s Chief Financial Officer.'
  assert.deepEqual(read(long, true).people, ADA)
  const served = 'The Board appointed Ada Pike, age 45, to serve as the Company’s Chief Financial Officer.'
  assert.deepEqual(read(served, true).people, ADA)
  assert.deepEqual(read('“Great robots,” said Ben Roe, CFO, Globex.', true).people, [])
})

test('people who leave are distinguished from those in office', () => {
  assert.deepEqual(read('Ada Pike steps down as CFO of Acme Robotics.'), { people: [], leaving: ['Ada Pike'] })
  assert.deepEqual(read('Ada Pike, Chief Financial Officer of the Company, resigned.', true).leaving, ['Ada Pike'])
})

test('joiners, promotions and departures are found in a text, and a former employer only where a sentence about the person states it', () => {
  const company = { name: 'Acme Robotics', domain: null }
  const moveIn = (text: string, own = false) =>
    findReportedMoves({ title: null, text, own }, company).map(({ quote: _, ...move }) => move)
  const appointed = { kind: 'in_office', full_name: 'Ada Pike', title: 'Chief Financial Officer', is_appointed: true }
  const leaving = { kind: 'leaving', full_name: 'Ada Pike', is_over: false }
  const gone = { ...leaving, is_over: true }
  const cases: [text: string, moves: object[], from: boolean, own?: boolean][] = [
    [
      'Acme Robotics appoints Ada Pike, formerly VP Finance at Globex Freight, as Chief Financial Officer.',
      [appointed],
      true,
    ],
    ['Ada Pike joins Acme Robotics from Globex Freight as Chief Financial Officer.', [appointed], true],
    ['Acme Robotics named former Globex Freight executive Ada Pike as Chief Financial Officer.', [appointed], true],
    [
      'Acme Robotics appoints Ada Pike as Chief Financial Officer. Prior to this, she led finance at Globex Freight.',
      [appointed],
      true,
    ],
    [
      'Acme Robotics appoints Ada Pike as Chief Financial Officer. It supplies Globex Freight with robots.',
      [appointed],
      false,
    ],
    ['Acme Robotics makes robots for the Chief Financial Officer of Globex Freight, Ada Pike.', [], false],
    ['Acme Robotics plans to name Ada Pike Chief Financial Officer.', [], false],
    ['Ada Pike steps down as Chief Financial Officer of Acme Robotics.', [leaving], false],
    ['Ada Pike notified the Company of her decision to resign as Chief Financial Officer.', [leaving], false, true],
    ['Ada Pike resigned from her position as Chief Financial Officer of the Company.', [gone], false, true],
  ]
  // People who keep a job, leave a board seat or another company, or left long ago, are still in office.
  const staying = [
    'Ada Pike resigned as President of the Company and continues to serve as Chief Executive Officer.',
    'Ada Pike stepped down as chair of Acme Robotics and remains chief executive officer.',
    'Ada Pike, Chief Financial Officer of the Company, retired as a partner of Ernst & Young in May.',
    'Ada Pike retired as a partner of Ernst & Young in 2015 and joined the Company in 2016.',
    'Ada Pike resigned as Chief Financial Officer of the Company in 2021.',
    'Acme Robotics CFO Ada Pike resigned from the city council.',
    'Acme Robotics CEO Ada Pike steps down as chairman.',
    'Ada Pike, Chief Executive Officer, notified the Company of her resignation from the Board of Directors.',
    'Ada Pike notified the Company of her decision to resign as a director of the Company.',
  ]
  for (const text of staying) {
    const moves = findReportedMoves({ title: null, text, own: true }, company, '2026-11-01')
    assert.deepEqual(
      moves.filter(({ kind }) => kind === 'leaving'),
      [],
      text,
    )
  }
  const filed = 'Ada Pike resigned as Chief Financial Officer of the Company on December 30, 2025.'
  assert.equal(findReportedMoves({ title: null, text: filed, own: true }, company, '2026-01-04')[0]?.kind, 'leaving')
  const all = 'Ada Pike resigned as President and Chief Executive Officer of the Company.'
  assert.equal(findReportedMoves({ title: null, text: all, own: true }, company, '2026-01-04')[0]?.kind, 'leaving')
  for (const [text, moves, isFrom, own] of cases) {
    assert.deepEqual(moveIn(text, own), moves, text)
    const proof = findFormerEmployer({ title: null, text, own: false }, 'Ada Pike', true, { name: 'Globex Freight' })
    assert.equal(proof !== null && moves.length > 0, isFrom, text)
  }
  const pasts: [text: string, isPast: boolean][] = [
    ['Ada Pike was most recently VP Finance at Globex Freight.', true],
    ['Ada Pike, formerly of Globex Freight, takes over from Ben Moss.', true],
    ['Most recently, Pike was VP Finance at Globex Freight.', true],
    ['Ada Pike left Globex Freight in May.', true],
    ['Ada Pike is also a director at Globex Freight.', false],
    ['Ada Pike, previously a banker, is Chief Financial Officer at Globex Freight.', false],
    ['Ada Pike has been VP Finance at Globex Freight since 2019.', false],
    ['Before the merger Ada Pike worked with Globex Freight.', false],
    ['Ada Pike succeeds Ben Moss, formerly VP Finance at Globex Freight.', false],
    ['Ada Pike was previously a supplier of robots to Globex Freight.', false],
  ]
  for (const [text, isPast] of pasts) {
    const proof = findFormerEmployer({ title: null, text, own: false }, 'Ada Pike', true, { name: 'Globex Freight' })
    assert.equal(proof !== null, isPast, text)
  }
  // With two appointees, "she" is ambiguous.
  const two =
    'Acme Robotics appoints Ada Pike as Chief Financial Officer and Bea Lund as Head of Sales. She was at Globex Freight before.'
  assert.equal(
    findFormerEmployer({ title: null, text: two, own: false }, 'Ada Pike', false, { name: 'Globex Freight' }),
    null,
  )
})
