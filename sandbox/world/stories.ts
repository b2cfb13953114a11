import type { StorySeed } from './types.ts'

/** Invented news sites, by host. */
export const NEWS_SITES: Readonly<Record<string, string>> = {
  'northern-tech-wire.example': 'Northern Tech Wire',
  'the-city-ledger.example': 'The City Ledger',
  'harbour-and-rail.example': 'Harbour & Rail',
}

export const STORIES: readonly StorySeed[] = [
  {
    site: 'northern-tech-wire.example',
    slug: 'halden-38-million',
    days: 12,
    points: 214,
    about: 'halden-robotics.example',
    event: 'halden-series-b',
    tells: ['funding'],
    title: 'Halden Robotics raises €38M for robots that work in deep freezers',
    text: `
Halden Robotics, an Oslo company whose robots pick frozen goods at minus 28 degrees, has raised €38 million in a Series B led by Fjellvind Growth. Kattegat Industrial Partners also invested.

The company builds its machines in Norway and, since this autumn, in Poland. It says its order book is full until next summer.

Cold storage has become one of the more crowded corners of warehouse robotics, but most rivals keep their robots in the dock, where it is merely chilly.`,
  },
  {
    site: 'northern-tech-wire.example',
    slug: 'ilmarine-doctors-invest',
    days: 7,
    points: 96,
    about: 'ilmarine-health.example',
    event: 'ilmarine-series-a',
    tells: ['funding'],
    title: 'Forty family doctors join €14M round of Estonian triage startup Ilmarine Health',
    text: `
Ilmarine Health, which makes triage software for family doctors, has closed a €14 million Series A. The unusual part is the cap table: forty doctors who use the product put in €900,000 of their own.

The round was led by Soome Lahe Capital. The Tallinn company is active in Estonia, Finland, Latvia and, since recently, Sweden.`,
  },
  {
    site: 'the-city-ledger.example',
    slug: 'ledgermoor-buys-tallyforge',
    days: 8,
    points: 61,
    about: 'ledgermoor.example',
    event: 'ledgermoor-tallyforge',
    tells: ['acquisition'],
    title: 'Ledgermoor buys Dublin’s Tallyforge in push to shorten the group close',
    text: `
Ledgermoor, the London accounting-software company, has agreed to buy Tallyforge of Dublin, which reconciles accounts without rules. The two did not say what Ledgermoor is paying. A person close to the deal put it at between €40 million and €50 million.

Tallyforge’s 38 employees will move across, and the founder, Niamh Gallaher, stays.`,
  },
  {
    site: 'the-city-ledger.example',
    slug: 'nimbrel-cuts',
    days: 30,
    points: 187,
    about: 'nimbrel.example',
    title: 'Nimbrel may trim sales team ahead of listing, sources say',
    trap: { kind: 'rumour', signals: ['layoffs'], why: 'Unnamed sources say that it may happen.' },
    text: `
Nimbrel, the cloud-cost company that is expected to list in New York, is weighing cuts to its sales team, according to two people familiar with the matter. One of them said up to 80 jobs could go. No decision has been made, and the plan might still be dropped.

A spokesperson for Nimbrel declined to comment.`,
  },
  {
    site: 'the-city-ledger.example',
    slug: 'nimbrel-files',
    days: 20,
    points: 402,
    about: 'nimbrel.example',
    event: 'nimbrel-ipo',
    tells: ['ipo'],
    title: 'Cloud-cost firm Nimbrel files to go public in New York',
    text: `
Nimbrel has filed for an initial public offering on the New York Stock Exchange. The Seattle company reported revenue of $311 million for its last business year, up 34 per cent, and a net loss of $22 million.

It plans to list under the symbol NMBR. Calloway & Reed and Harrow Street Securities lead the offering.`,
  },
  {
    site: 'the-city-ledger.example',
    slug: 'gridhaven-debut',
    days: 6,
    points: 55,
    about: 'gridhaven.example',
    event: 'gridhaven-ipo',
    tells: ['ipo'],
    title: 'Battery operator Gridhaven climbs 11% on Copenhagen debut',
    text: `
Shares of Gridhaven rose 11 per cent on their first day of trading in Copenhagen. The Aarhus company, which builds and trades large batteries, had sold shares at 84 kroner apiece in its initial public offering, valuing it at 4.1 billion kroner.

It was the largest listing on Nasdaq Copenhagen this year.`,
  },
  {
    site: 'harbour-and-rail.example',
    slug: 'portolan-ransomware',
    days: 14,
    points: 130,
    about: 'portolan-shipping.example',
    event: 'portolan-attack',
    tells: ['security_incident'],
    title: 'Portolan Shipping hit by ransomware, bookings taken by phone',
    text: `
Piraeus-based Portolan Shipping has been hit by a ransomware attack that knocked out its booking and invoicing systems. Customers have had to telephone their bookings in since the weekend.

The company said that files with customers’ contact and bank details were stolen. Its 31 ships are sailing normally.`,
  },
  {
    site: 'harbour-and-rail.example',
    slug: 'northpass-bid-talk',
    days: 15,
    points: 22,
    about: 'northpass-cargo.example',
    title: 'Larger rival said to mull bid for Northpass Cargo',
    trap: { kind: 'rumour', signals: ['acquisition'], why: 'Talk of a possible bid; nothing has happened.' },
    text: `
A larger Canadian airline is said to be mulling a takeover bid for Northpass Cargo, the Vancouver carrier that supplies communities in the far north. Talks, if there are any, are at an early stage, people in the industry say, and may lead to nothing.`,
  },
  {
    site: 'harbour-and-rail.example',
    slug: 'meridon-basel',
    days: 10,
    points: 18,
    about: 'meridon-freight.example',
    event: 'meridon-basel',
    tells: ['expansion'],
    title: 'Meridon Freight opens terminal at Rhine port of Basel',
    text: `
Barge and rail operator Meridon Freight has opened a trimodal container terminal in Basel, its first in Switzerland. The terminal has a capacity of 180,000 containers a year.`,
  },
  {
    site: 'the-city-ledger.example',
    slug: 'meridon-gelidor',
    days: 17,
    points: 9,
    about: 'meridon-foods.example',
    event: 'meridon-gelidor',
    tells: ['acquisition'],
    title: 'Belgium’s Gelidor buys frozen division of Meridon Foods',
    trap: {
      kind: 'namesake',
      signals: ['acquisition'],
      why: 'Meridon Foods is not Meridon Freight.',
      of: 'meridon-freight.example',
    },
    text: `
Meridon Foods of Lyon has sold its frozen division, with the Petit Givre brand and a plant in Mâcon, to the Belgian group Gelidor. The price was not disclosed.`,
  },
  {
    site: 'the-city-ledger.example',
    slug: 'corvane-fund-v',
    days: 21,
    points: 12,
    about: 'corvane-capital.example',
    title: 'Corvane Capital raises £310m for fifth fund',
    trap: {
      kind: 'namesake',
      signals: ['funding'],
      why: 'Corvane Capital is not Corvane, and raised a fund for others to be invested.',
      of: 'corvane.example',
    },
    text: `
Edinburgh investment firm Corvane Capital has closed its fifth fund at £310 million. The firm backs family-owned service companies in Britain and Ireland and last month bought most of Larchmere Care.`,
  },
  {
    site: 'the-city-ledger.example',
    slug: 'voltique-listing-talk',
    days: 43,
    points: 73,
    about: 'voltique.example',
    title: 'Battery maker Voltique reportedly eyes spring listing and job cuts',
    trap: { kind: 'rumour', signals: ['ipo', 'layoffs'], why: 'A report that the company denied the day after.' },
    text: `
Voltique, the Grenoble maker of sodium-ion cells, is reportedly preparing a stock-market listing for next spring and could cut jobs to look leaner before it. The company did not respond to a request for comment before publication.

Correction, a day later: Voltique says that it is preparing neither.`,
  },
  {
    site: 'northern-tech-wire.example',
    slug: 'quillstack-negotiate',
    days: 6,
    points: 48,
    about: 'quillstack.example',
    event: 'quillstack-negotiate',
    tells: ['product_launch'],
    title: 'Quillstack launches shared redlining for both sides of a contract',
    text: `
Contract-software company Quillstack has launched Negotiate, which lets both parties to a contract edit one document together. In its beta, the Austin company says, the median contract was signed in six days instead of fifteen.`,
  },
  {
    site: 'northern-tech-wire.example',
    slug: 'lanternfall-bought',
    days: 23,
    points: 341,
    about: 'lanternfall.example',
    tells: ['acquisition'],
    title: 'Lanternfall Studios, maker of “Moth at Noon”, acquired by Pikku Karhu Games',
    text: `
Lanternfall Studios, the Tampere studio behind the quiet hit “Moth at Noon”, has been acquired by Helsinki publisher Pikku Karhu Games. All 55 employees keep their jobs and studio director Aino Kettunen will continue to lead the team.

The companies did not disclose a price. Lanternfall’s next game is due next year.`,
  },
  {
    site: 'the-city-ledger.example',
    slug: 'cindermark-subscribers',
    days: 16,
    points: 88,
    about: 'cindermark.example',
    tells: ['security_incident'],
    title: 'Hackers steal subscriber data from publisher Cindermark Media',
    text: `
Cindermark Media, a Vienna publisher of trade magazines, has confirmed that hackers broke into its subscription system and stole names, addresses and bank details of about 70,000 subscribers.

The publisher said it noticed the intrusion on Tuesday and took its web site offline. The Austrian data protection authority has been informed.`,
  },
  {
    site: 'northern-tech-wire.example',
    slug: 'robotics-to-watch',
    days: 28,
    points: 15,
    about: 'halden-robotics.example',
    title: 'Ten Nordic robotics companies to watch',
    text: `
From seabed crawlers to strawberry pickers, the north has no shortage of robots. Our yearly list has ten names that people in the field mentioned most often when we asked them whose stand they would visit first. Halden Robotics is on it for the fourth time, for machines that work where people would rather not.`,
  },
  {
    site: 'northern-tech-wire.example',
    slug: 'fathomly-seed',
    days: 480,
    points: 77,
    about: 'fathomly.example',
    title: 'Fathomly raises $5M seed to explain app crashes in plain words',
    trap: { kind: 'old', signals: ['funding'], why: 'More than a year old.' },
    text: `
Fathomly, a Toronto startup that explains app crashes in plain words, has raised $5 million in seed funding led by Lakeshore Seed.`,
  },
]
