import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWebPage } from '../page/index.ts'
import { detectTechnologiesInDns, detectTechnologiesInHeaders, excludeOwnProducts, isPaidProduct } from './index.ts'

const seen = (html: string) =>
  readWebPage({ url: 'https://www.acme.example/about', html }).technologies.map(
    ({ name, evidence }) => `${name}: ${evidence}`,
  )

test('a product is detected by the hosts a page loads from and by its generator, never by its name in a text', () => {
  assert.deepEqual(
    seen(`<html data-wf-site="1"><head><meta name="generator" content="WordPress 6.8">
      <script src="//js.hs-scripts.com/1.js"></script><script>s.src="https:\\/\\/cdn.segment.com\\/analytics.js"</script>
      <script>_fs_script = 'edge.fullstory.com/s/fs.js'</script><link rel="preload" href="/_next/static/a.js">
      <noscript><iframe src="https://www.googletagmanager.com/ns.html?id=1"></iframe></noscript></head></html>`),
    [
      'HubSpot: Loads js.hs-scripts.com',
      'Segment: Loads cdn.segment.com',
      'FullStory: Loads edge.fullstory.com',
      'Next.js: Loads /_next/static/',
      'Google Tag Manager: Loads www.googletagmanager.com/ns.html',
      'WordPress: Generator WordPress',
      'Webflow: Attribute data-wf-site',
    ],
  )
  assert.deepEqual(
    seen(`<p>We compared Intercom (widget.intercom.io) with Zendesk.</p><a href="https://widget.intercom.io/x">Intercom</a>
      <script type="application/json">{"text": "https://js.stripe.com/v3"}</script><img src="https://cdn.other.example/_next/static/a.png">
      <script src="https://js.hs-scripts.com.evil.example/1.js"></script><link rel="stylesheet" href="https://fonts.googleapis.com/css">`),
    [],
  )
  // An image or a frame of a shop or payment product may belong to another company; scripts and stylesheets do not.
  assert.deepEqual(
    seen(`<img src="https://cdn.shopify.com/a.png"><iframe src="https://js.stripe.com/x"></iframe><img src="/wp-content/a.jpg">
      <link rel="preconnect" href="https://cdn.sanity.io"><script>p = "https://static.wixstatic.com/media/a.webp"</script>
      <script>s.src = "https://js.chargebee.com/v2/chargebee.js"</script><link rel="stylesheet" href="https://www.paypalobjects.com/a.css">`),
    ['Chargebee: Loads js.chargebee.com', 'PayPal: Loads www.paypalobjects.com'],
  )
  // A hostile page is scanned in linear time.
  assert.deepEqual(seen(`<script>${'"a.'.repeat(100_000)}${'//'.repeat(100_000)}</script>`), [])
})

test('headers, cookies and DNS records show products, and a vendor’s own products are excluded', () => {
  const headers = { server: 'Vercel', 'x-powered-by': 'PHP/8', 'set-cookie': ['_shopify_y=1; path=/'] }
  assert.deepEqual(
    detectTechnologiesInHeaders(headers).map(({ name }) => name),
    ['Shopify', 'Vercel'],
  )
  const records = {
    mx: ['acme-example.mail.protection.outlook.com'],
    txt: [
      'v=spf1 include:123.spf01.hubspotemail.net -all',
      'stripe-verification=1',
      'we use slack-domain-verification=',
    ],
  }
  assert.deepEqual(detectTechnologiesInDns(records), [
    { name: 'HubSpot', evidence: 'SPF record hubspotemail.net' },
    { name: 'Stripe', evidence: 'TXT record stripe-verification' },
    { name: 'Microsoft 365', evidence: 'MX record mail.protection.outlook.com' },
  ])
  const names = (domain: string) => excludeOwnProducts(detectTechnologiesInDns(records), domain).map(({ name }) => name)
  assert.deepEqual(
    [names('www.hubspot.com'), names('microsoft.com')],
    [
      ['Stripe', 'Microsoft 365'],
      ['HubSpot', 'Stripe'],
    ],
  )
  assert.deepEqual(['Zendesk', 'Cloudflare', 'Vimeo'].map(isPaidProduct), [true, false, false])
})

test('the GitHub organisation and the status page of a company are found by links to them', () => {
  const { service_links } = readWebPage({
    url: 'https://acme.example/',
    html: `<a href="https://github.com/features">GitHub</a><a href="https://github.com/acme/arm">Arm</a><a href="https://github.com/Acme/">Code</a>
      <a href="https://github.com/else/thing/issues">Bug</a><a href="https://status.acme.example/history">Status</a>
      <a href="https://status.else.example">Theirs</a><a href="https://www.statuspage.io">Vendor</a><a href="http://acme.statuspage.io/x">Old</a>`,
  })
  assert.deepEqual(service_links, {
    github: [
      { organisation: 'Acme', isOrganisation: true },
      { organisation: 'else', isOrganisation: false },
    ],
    status_pages: ['https://status.acme.example', 'https://acme.statuspage.io'],
  })
})
