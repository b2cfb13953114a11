// What happened as a thing to talk about: "the terminal in Basel", "the acquisition of Globex".
import type { EventDetails } from '../claim/index.ts'
import { table } from '../table.ts'

type Row = [claim: RegExp, topic: string | ((found: string) => string)]

const MAX_TOPIC_CHARS = 60

/** "a terminal in Basel" as "the terminal in Basel". */
const definite = (thing: string) => `the ${thing.replace(/^(?:a|an|the|its|another|one) /i, '')}`

/** Without what was paid and by whom. */
const bare = (text: string) => text.replace(/ (?:for|worth) (?:up to )?[^ ]*\d.*$/u, '')

const TOPICS = table<readonly Row[]>({
  funding: [
    [/grant of (\S+(?: (?:thousand|million|billion|\p{L}+))?)/u, (sum) => `the ${sum} grant`],
    [/ stake to (.+)$/, (buyer) => `the stake of ${buyer}`],
    [/offering/, 'the offering'],
    [/^(?:secures|borrows) .*(?:debt|loan|facility|credit)|^borrows/, 'the new financing'],
    [/(?:secures|secure) ((?:a|an|its) .+)$/, definite],
    [
      /(?:raises|raise|secures|secure|receives|receive) (?:up to )?(\S*\d\S*(?: (?:thousand|million|billion|\p{L}+)(?= |$))?)/u,
      (sum) => `the ${sum}`,
    ],
    [/ capital from (.+)$/, (investor) => `the funding from ${investor}`],
    [/./, 'the new funding'],
  ],
  acquisition: [
    [/ stake in (.+)$/, (target) => `the stake in ${bare(target)}`],
    [/ stake to (.+)$/, (buyer) => `the stake of ${bare(buyer)}`],
    [/acquired by (.+)$/, (buyer) => `the deal with ${bare(buyer)}`],
    [/acquires? (.+)$/, (target) => `the acquisition of ${bare(target)}`],
    [/merges? with (.+)$/, (other) => `the merger with ${bare(other)}`],
    [/sells? a business to (.+)$/, (buyer) => `the sale to ${bare(buyer)}`],
    [/sells? (.+?)(?: to .+)?$/, (thing) => `the sale of ${bare(thing).replace(/^its /, 'the ')}`],
    [/./, 'the deal'],
  ],
  expansion: [
    [/expands? (into|to|in) (.+)$/, 'the expansion'],
    [/moves? to (.+)$/, (place) => `the move to ${place}`],
    [/comes? to (.+)$/, (place) => `the start in ${place}`],
    [/enters? (\p{Lu}.+)$/u, (place) => `the start in ${place}`],
    [/opens? in (.+)$/, (place) => `the opening in ${place}`],
    [/(?:open(?:s|ed)?|builds?|acquires?|leases?|announces?|expands?|enters?) (.+)$/, definite],
    [/./, 'the expansion'],
  ],
  hiring: [
    [/(?:creates?|hires?|hiring|hiring for|has) (\d.*)$/, (people) => `the ${people}`],
    [/./, 'the hiring'],
  ],
  ipo: [
    [/list(?:s|ed)? on (.+)$/, (exchange) => `the listing on ${exchange}`],
    [/offering/, 'the offering'],
    [/./, 'the IPO'],
  ],
  product_launch: [
    [/(?:launch(?:es)?|offers?|expands?) (.+)$/, definite],
    [/./, 'the launch'],
  ],
  partnership: [
    [/with (.+)$/, (partner) => `the partnership with ${partner}`],
    [/./, 'the partnership'],
  ],
  customer_win: [
    [/contract from (.+)$/, (customer) => `the contract with ${customer}`],
    [/order from (.+)$/, (customer) => `the order from ${customer}`],
    [/wins? (.+) as a customer$/, (customer) => `the work for ${customer}`],
    [/suppl(?:y|ies) (.+)$/, (customer) => `the work for ${customer}`],
    [/contracts/, 'the contracts'],
    [/contract/, 'the contract'],
    [/order/, 'the order'],
    [/./, 'the new business'],
  ],
  leadership_change: [
    [/(?:names|name|appoint|has) a new (.+)$/, (position) => `the new ${position}`],
    [/./, 'the change in leadership'],
  ],
  technology_adoption: [
    [/from (.+)$/, (vendor) => `the order from ${vendor}`],
    [/(?:adopts?|chooses?|uses?) (.+)$/, (tool) => `the introduction of ${tool}`],
    [/./, 'the new technology'],
  ],
  layoffs: [
    [/closes? (.+)$/, (site) => `the closure of ${site.replace(/^its /, 'the ')}`],
    [/bankruptcy/, 'the proceedings'],
    [/./, 'the job cuts'],
  ],
  security_incident: [
    [/ransomware/, 'the ransomware attack'],
    [/cyberattack/, 'the cyberattack'],
    [/DDoS/, 'the DDoS attack'],
    [/phishing/, 'the phishing attack'],
    [/leak/, 'the data leak'],
    [/breach/, 'the data breach'],
    [/./, 'the incident'],
  ],
})

/** What the event is called once it has been told; never longer than a subject line bears. */
export function topicOf(signalId: string, predicate: string, details: EventDetails | null): string {
  const rows = TOPICS[signalId] ?? [[/./, 'this']]
  const [person] = details?.people ?? []
  const position = details?.position?.text
  if (signalId === 'leadership_change' && person && predicate.includes(person.text) && position) {
    if (!/^(?:loses|plans to lose|agrees to lose)/.test(predicate) && !/\bboard\b/i.test(position))
      return `the appointment of ${person.text}`
  }
  // A name of its own has no article.
  const product = details?.product?.text
  if (signalId === 'product_launch' && product && predicate.endsWith(` ${product}`)) return product
  const place = /expands? ((?:into|to|in) .+)$/.exec(predicate)?.[1]
  if (signalId === 'expansion' && place && /^\w+ \p{Lu}/u.test(place)) return `the expansion ${place}`
  for (const [claim, topic] of rows) {
    const found = claim.exec(predicate)
    if (!found) continue
    const said = typeof topic === 'string' ? topic : topic(found[1] ?? '')
    if (said.length <= MAX_TOPIC_CHARS) return said
  }
  return 'this'
}
