import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openingOf } from './digest.ts'

test('the opening of a draft is its first two sentences, without subject, greeting and markup', () => {
  const draft = [
    '**Subject:** Your round',
    'Hi Mara,',
    'I read that Acme \\[Rail\\] raised **20 million**. See [the news](https://n0.com/a). Third.',
    'Best regards,\nDana',
  ].join('\n\n')
  assert.equal(openingOf(draft), 'I read that Acme [Rail] raised 20 million. See the news.')
  assert.equal(openingOf('Hello,\n\nOne.\n\nTwo.\n\nThree.'), 'One. Two.')
  assert.equal(openingOf('No greeting here. Second.'), 'No greeting here. Second.')
  assert.equal(openingOf('**Subject:** Only a subject'), null)
})
