import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPersonName, splitFullName } from './person-name.ts'

type Split = [full: string, first: string | null, last: string]

function splits(names: Split[]): void {
  for (const [full, first_name, last_name] of names)
    assert.deepEqual(splitFullName(full), { first_name, last_name }, full)
}

test('the last word is the last name, the others are the first', () => {
  splits([
    ['Ada Pike', 'Ada', 'Pike'],
    ['Ada M. Pike', 'Ada M.', 'Pike'],
    ['  Ada   Pike ', 'Ada', 'Pike'],
    ['Anne-Marie Smith-Jones', 'Anne-Marie', 'Smith-Jones'],
    ['Ada Pike (she/her)', 'Ada', 'Pike'],
    ['Robert “Bob” Vance', 'Robert', 'Vance'],
  ])
})

test('a suffix, a credential and an honorific are part of neither', () => {
  splits([
    ['Robert Vance Jr.', 'Robert', 'Vance'],
    ['Robert Vance, Jr.', 'Robert', 'Vance'],
    ['Robert Vance Sr', 'Robert', 'Vance'],
    ['Robert Q. Vance III', 'Robert Q.', 'Vance'],
    ['Henry Vance V', 'Henry', 'Vance'],
    ['Ada Pike, PhD', 'Ada', 'Pike'],
    ['Ada Pike PhD', 'Ada', 'Pike'],
    ['Ada Pike, MBA, CPA', 'Ada', 'Pike'],
    ['Ada Pike M.D.', 'Ada', 'Pike'],
    ['Robert van der Berg Jr., Ph.D.', 'Robert', 'van der Berg'],
    ['Dr. Ada Pike', 'Ada', 'Pike'],
    ['Prof. Dr. Ada Pike', 'Ada', 'Pike'],
  ])
})

test('a particle starts the last name', () => {
  splits([
    ['Jan van der Berg', 'Jan', 'van der Berg'],
    ['Ana Lucía de la Cruz', 'Ana Lucía', 'de la Cruz'],
    ['Karl von Stein', 'Karl', 'von Stein'],
    ['Dirk Van Dale', 'Dirk', 'Van Dale'],
    ['João da Silva dos Santos', 'João', 'da Silva dos Santos'],
    ['Omar bin Khalid', 'Omar', 'bin Khalid'],
    ['Luis Ortega y Marín', 'Luis', 'Ortega y Marín'],
    ['Marie d’Aubigny', 'Marie', 'd’Aubigny'],
    ['Eva St. Clair', 'Eva', 'St. Clair'],
  ])
})

test('a name that looks like a particle or a credential stays a name', () => {
  splits([
    ['Al Moore', 'Al', 'Moore'],
    ['Van Morris', 'Van', 'Morris'],
    ['Kim Do Young', 'Kim Do', 'Young'],
    ['Minh DO', 'Minh', 'DO'],
    ['Jean Minh DO', 'Jean Minh', 'DO'],
    ['WEI LING MA', 'WEI LING', 'MA'],
    ['Anand V', 'Anand', 'V'],
  ])
})

test('the last name may come first, before a comma', () => {
  splits([
    ['Pike, Ada', 'Ada', 'Pike'],
    ['van der Berg, Jan Willem', 'Jan Willem', 'van der Berg'],
    ['Vance, Robert, Jr.', 'Robert', 'Vance'],
    ['Ada Pike, Head of Data', 'Ada', 'Pike'],
  ])
})

test('the last name is never empty', () => {
  splits([
    ['Pike', null, 'Pike'],
    ['Dr. Pike', null, 'Pike'],
    ['Pike Jr.', null, 'Pike'],
    ['Jr.', null, 'Jr.'],
    ['田中', null, '田中'],
    [', Ada', null, 'Ada'],
    ['(unknown)', null, '(unknown)'],
  ])
})

test('a surname that is a job in another language is a name after a given name', () => {
  for (const name of [
    'Léo Apotheker',
    'Eric Schlosser',
    'Thomas Leder',
    'Anna Arzt',
    'Paul Fahrer',
    'Maria Notario',
    'Carlos Medico',
    'Erik Lege',
  ])
    assert.equal(readPersonName(name), name)
  for (const title of ['Kaufmännische Leiterin', 'Technischer Fahrer', 'Direttore Vendite'])
    assert.equal(readPersonName(title), null, title)
})
