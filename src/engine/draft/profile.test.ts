import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeCompany, draftSections } from './profile.ts'

const home = {
  url: 'https://harrow.example/',
  kind: 'home',
  title: 'Harrow',
  text: [
    'Gauges that report for themselves',
    'Harrow makes flow gauges for water utilities. Our platform collects readings every minute.',
    'Cut field visits by 60%.',
    'Built for utilities with 50 to 5,000 meters',
    'Unlike Meterly, we need no SIM cards.',
    'We use cookies to improve your visit.',
    'Ready to see what it does for you and your team?',
    'Subscribe to our newsletter for teams.',
  ].join('\n'),
}
const about = {
  url: 'https://harrow.example/about',
  kind: 'about',
  title: 'About',
  text: 'Harrow was founded in 1962 in Leeds. Harrow is a maker of *gauges*. We are 120 people in three offices.',
}
const pricing = {
  url: 'https://harrow.example/pricing',
  kind: 'pricing',
  title: 'Pricing',
  text: 'Plans\nStarter\n€9 per month\nGrow\n€49 per month, billed annually\nAsk for more',
}

const drafted = (pages: (typeof home)[]) =>
  Object.fromEntries(draftSections({ name: 'Harrow' }, pages).map(({ type, drawn_from, ...draft }) => [type, draft]))

test('each section contains sentences of one page, word for word, and names the page', () => {
  assert.deepEqual(drafted([home, about, pricing]), {
    overview: {
      title: 'About Harrow',
      content_md:
        '- Harrow was founded in 1962 in Leeds.\n- Harrow is a maker of \\*gauges\\*.\n- We are 120 people in three offices.',
      source_url: about.url,
    },
    product: {
      title: 'What we offer',
      content_md: '- Our platform collects readings every minute.',
      source_url: home.url,
    },
    value_prop: { title: 'What it brings', content_md: '- Cut field visits by 60%.', source_url: home.url },
    icp: {
      title: 'Who we sell to',
      content_md: '- Harrow makes flow gauges for water utilities.\n- Built for utilities with 50 to 5,000 meters',
      source_url: home.url,
    },
    pricing: {
      title: 'Pricing',
      content_md: '- €9 per month\n- €49 per month, billed annually',
      source_url: pricing.url,
    },
    competitor: {
      title: 'Whom we compare ourselves with',
      content_md: '- Unlike Meterly, we need no SIM cards.',
      source_url: home.url,
    },
  })
  // Exactly as on the page, without Markdown escapes.
  assert.deepEqual(draftSections({ name: 'Harrow' }, [about])[0]?.drawn_from[1], {
    url: about.url,
    sentence: 'Harrow is a maker of *gauges*.',
  })
})

test('a section without sentences on the site is not drafted', () => {
  assert.deepEqual(Object.keys(drafted([about])), ['overview'])
  assert.deepEqual(drafted([{ ...home, text: 'Welcome to our home page.\nWe use cookies.' }]), {})
  assert.deepEqual(
    drafted([{ ...home, text: 'Harrow 4 is faster. It is better than Harrow 3 in the field.' }]).competitor,
    undefined,
  )
  assert.deepEqual(drafted([]), {})
})

test('the company is described by its own description, otherwise by sentences of its pages, otherwise not at all', () => {
  const pages = [home, about]
  assert.equal(describeCompany({ name: 'Harrow', description: ' A maker\nof gauges. ' }, pages), 'A maker of gauges.')
  assert.equal(
    describeCompany({ name: 'Harrow', description: null }, pages),
    'Harrow was founded in 1962 in Leeds. Harrow is a maker of *gauges*. We are 120 people in three offices.',
  )
  assert.equal(describeCompany({ name: 'Harrow', description: null }, [pricing]), null)
})

test('a page of any size or shape gives sections a person can read', () => {
  const hostile = ['for '.repeat(20_000), 'we '.repeat(20_000), 'a'.repeat(100_000), 'Unlike '.repeat(10_000)]
  for (const text of hostile) {
    const sections = draftSections({ name: 'Harrow' }, [{ ...home, text }])
    assert.ok(sections.every(({ content_md }) => content_md.length <= 20_000))
  }
})
