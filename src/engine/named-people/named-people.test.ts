import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNamedPeople } from './index.ts'

const words = new Set(['chief', 'officer', 'cfo'])
const read = (text: string, own = false, title: string | null = null) =>
  readNamedPeople({ title, text, own }, { name: 'Acme Robotics', domain: 'acme.example' }, words)
const ADA = [{ full_name: 'Ada Pike', title: 'Chief Financial Officer' }]
const CFO = [{ full_name: 'Ada Pike', title: 'CFO' }]

test('whom a text names with a job at the company is read, and nobody else', () => {
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

test('in a paper of its own “the Company” is the company', () => {
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

test('whoever leaves is told apart from who is there', () => {
  assert.deepEqual(read('Ada Pike steps down as CFO of Acme Robotics.'), { people: [], leaving: ['Ada Pike'] })
  assert.deepEqual(read('Ada Pike, Chief Financial Officer of the Company, resigned.', true).leaving, ['Ada Pike'])
})
