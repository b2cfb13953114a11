import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectLanguage, isEnglish, languageName } from './language.ts'

const TEXTS: [string, string][] = [
  [
    'Spanish',
    'La empresa anunció que ha abierto una nueva oficina en la ciudad y que contratará a más personas para el proyecto de los robots.',
  ],
  [
    'French',
    'La société a annoncé l’ouverture d’une nouvelle usine dans la région et prévoit de recruter des ingénieurs pour les robots.',
  ],
  [
    'German',
    'Das Unternehmen hat am Montag ein neues Werk in der Stadt eröffnet und will dort mit den Partnern für die Kunden Roboter bauen.',
  ],
  [
    'Swedish',
    'Företaget har öppnat ett nytt kontor i staden och det är en del av planen för att växa med fler kunder på marknaden.',
  ],
  ['Russian', 'Компания объявила об открытии нового завода роботов и планирует нанять инженеров в следующем году.'],
  ['Japanese', 'オルロワ・ロボティクスは本日、新しい工場を開設し、来年には技術者を採用する計画を発表しました。'],
]

for (const [language, text] of TEXTS) {
  test(`${language} is not English`, () => assert.equal(isEnglish(text), false))
}

test('English with foreign names is English', () => {
  assert.equal(
    isEnglish(
      'Orlova de la Cruz and Müller & Söhne announced on Monday that the plant in Las Palmas is open for business.',
    ),
    true,
  )
})

test('an English opening over a long foreign body is not English', () => {
  const foreign = TEXTS[0]?.[1] as string
  assert.equal(isEnglish(`The company said today that it is open. ${`${foreign} `.repeat(60)}`), false)
})

test('a language is detected by its words or letters', () => {
  const codes = ['es', 'fr', 'de', 'sv', 'ru', 'ja']
  for (const [i, [language, text]] of TEXTS.entries()) assert.equal(detectLanguage(text), codes[i], language)
  assert.equal(
    detectLanguage('The company said that it has opened an office in the city, and that it will hire for it.'),
    'en',
  )
  assert.equal(detectLanguage('Acme Robotics'), null)
  assert.equal(languageName('de'), 'German')
})

test('an unlisted language is not English, and a table in an English text is', () => {
  const finnish =
    'Yritys kertoi maanantaina avanneensa uuden tehtaan kaupunkiin ja aikovansa palkata sinne kymmeniä insinöörejä. '
  assert.equal(isEnglish(finnish.repeat(8)), false)
  assert.equal(detectLanguage(finnish.repeat(8)), null)
  const prose = 'The company said that it has opened an office in the city, and that it will hire for it. '.repeat(20)
  const table = 'Revenue 120 110 Gross profit 80 70 Operating income 12 10 Net income 9 8 '.repeat(60)
  assert.equal(isEnglish(`${prose}${table}${prose}`), true)
})
