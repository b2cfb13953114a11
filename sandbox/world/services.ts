import type { CompanySeed } from './types.ts'

export const SERVICES: readonly CompanySeed[] = [
  {
    name: 'Agrovanta',
    domain: 'agrovanta.example',
    industry: 'Agriculture',
    country: 'Brazil',
    country_code: 'BR',
    city: 'Ribeirão Preto',
    employees: 1600,
    founded_year: 1985,
    description: 'Agrovanta supplies seed, biological crop protection and agronomy to growers in Brazil.',
    boilerplate:
      'Agrovanta supplies seed, biological crop protection and agronomy to 22,000 growers in Brazil and Paraguay. Its headquarters are in Ribeirão Preto.',
    site: { theme: 'wordpress', team: 'elementor', feed: 'rss', caching: 'etag', news: '/en/press' },
    people: `
Beatriz Montenegro Alves, Chief Executive Officer [profile]
Rodrigo Paes Landim, Chief Financial Officer [profile]
Caio Guimarães, Director of Research
Tatiana Siqueira, Investor Relations Manager [email]`,
    wikidata: { id: 'Q999900008', employees: null },
    articles: [
      {
        slug: 'biosolo',
        days: 13,
        title: 'Agrovanta completes acquisition of BioSolo',
        tells: ['acquisition'],
        text: `
Ribeirão Preto, {date} – Agrovanta has completed the acquisition of BioSolo, a producer of soil bacteria in Uberlândia, for 310 million reais. The Brazilian antitrust authority CADE had cleared the transaction without conditions on {date-12}.

BioSolo’s strains replace about a third of the nitrogen fertiliser in maize. The company sold products for 95 million reais last year and employs 140 people, all of whom will be kept.

“Growers told us the price of fertiliser keeps them awake. Bacteria do not sleep either, but they cost less,” said Beatriz Montenegro Alves, Chief Executive Officer of Agrovanta.

Brazil imports more than four fifths of the fertiliser it uses. Biological products covered about a tenth of the area under maize last year, and agronomists expect the share to double by the end of the decade.

BioSolo becomes a division of Agrovanta and will be led by its founder, Dr. Renata Quadros.`,
      },
    ],
  },
  {
    name: 'Beamwright',
    domain: 'beamwright.example',
    industry: 'Construction',
    country: 'United States',
    country_code: 'US',
    city: 'Chicago',
    employees: 540,
    founded_year: 1999,
    description: 'Beamwright engineers and erects timber towers.',
    boilerplate: 'Beamwright engineers and erects tall timber buildings across the Midwest. It is based in Chicago.',
    site: { theme: 'semantic', team: 'headings', feed: 'rss', caching: 'both', robots: 'partly' },
    people: `
Lorraine Vasquez-Boyle, President
Kofi Amankwah, Chief Engineer [profile]
Pete Halvorsen, VP Preconstruction [email, +1 312-555-0177]`,
    articles: [
      {
        slug: 'lakefront-library',
        days: 18,
        title: 'City of Milwaukee picks Beamwright to build lakefront library',
        tells: ['customer_win'],
        text: `
CHICAGO, {date} -- The City of Milwaukee has awarded Beamwright the contract to build its new lakefront library, a nine-story building of glued laminated timber. The contract is valued at $87 million. Work begins in {month+60}.

The library will be the tallest timber structure on the Great Lakes. Its beams, some of them 96 feet long, come from mills in Wisconsin and Michigan.

"The jury told us ours was the only proposal that said what happens when it snows during erection," said Lorraine Vasquez-Boyle, President of Beamwright.

The design is by Ruhl Okafor Architects of Minneapolis. A reading room on the top floor will look out over the lake, and the children's floor will have a slide next to the stairs. Sensors in the joints will report moisture for the first ten years. The old library, built in 1958, stays open until the new one is ready.

Four firms had submitted proposals.`,
      },
      {
        slug: 'embargoed-merger-release',
        days: 4,
        closed: true,
        title: 'DRAFT, not for release: Beamwright and Tallgrass Structures to merge',
        trap: {
          kind: 'disallowed',
          signals: ['acquisition'],
          why: 'Stands in a part of the site that robots.txt closes: it must not even be fetched.',
        },
        text: `
CHICAGO, {date} -- Beamwright and Tallgrass Structures today announced that they have agreed to merge. The combined company will employ 900 people.

"TK quote," said Lorraine Vasquez-Boyle, President of Beamwright.`,
      },
    ],
  },
  {
    name: 'Telvaro Networks',
    domain: 'telvaro.example',
    industry: 'Telecommunications',
    country: 'Singapore',
    country_code: 'SG',
    city: 'Singapore',
    employees: 720,
    founded_year: 2004,
    description: 'Telvaro Networks runs subsea and terrestrial fibre in South-East Asia.',
    boilerplate: 'Telvaro Networks runs 41,000 kilometres of subsea and terrestrial fibre in South-East Asia.',
    site: { theme: 'next', team: 'json-ld', feed: 'atom', caching: 'both' },
    people: `
Tan Wei Ling, Chief Executive Officer [profile]
Suresh Balakrishnan, Chief Technology Officer [profile]
Nur Aisyah Rahmat, Head of Wholesale [email, profile]`,
    board: {
      vendor: 'workday',
      openings: `
Optical Network Engineer, Engineering, 9
Cable Landing Station Manager, Operations, 6
Presales Consultant, Sales, 14
NOC Shift Lead, Operations, 20
Legal Counsel, Legal, 30`,
    },
    articles: [
      {
        slug: 'java-bali-cable',
        days: 21,
        title: 'Telvaro Networks and Nusalink form joint venture for Java–Bali cable',
        tells: ['partnership'],
        arguable: ['expansion'],
        text: `
Singapore, {date} – Telvaro Networks and the Indonesian operator Nusalink have founded a joint venture to lay and run a subsea cable between eastern Java and Bali. Telvaro holds 49 per cent, Nusalink 51 per cent.

The cable will have sixteen fibre pairs and is to be ready for service in {month+500}. Both partners will sell capacity on it, each to its own customers.

Bali’s traffic doubles every two to three years, and two cable cuts in {year-1} left hotels and hospitals on the island without connection for a day. The new route avoids the anchorages in the strait. Surveys of the sea bed are under way from the research ship Kerapu. The venture, named Selat Bali Cable, has its seat in Surabaya and is led by Dewi Prasetyo of Nusalink.

“Nusalink knows every landing permit between Sabang and Merauke. We know cables,” said Tan Wei Ling, Chief Executive Officer of Telvaro Networks.`,
      },
    ],
  },
  {
    name: 'Hollowgate Security',
    domain: 'hollowgate.example',
    industry: 'Cybersecurity',
    country: 'Israel',
    country_code: 'IL',
    city: 'Tel Aviv',
    employees: 130,
    founded_year: 2016,
    description: 'Hollowgate Security finds forgotten doors into company networks.',
    boilerplate: 'Hollowgate Security finds forgotten doors into company networks before others do.',
    site: { theme: 'next', team: 'h-card', feed: 'rss-full', caching: 'etag', blog: true },
    people: `
Noa Ben-Shalev, Chief Executive Officer [profile]
Itamar Gorodetsky, Chief Technology Officer [profile]
Shira Halfon, VP Research [email, profile]`,
    articles: [
      {
        slug: 'anatomy-of-the-portolan-attack',
        days: 6,
        section: 'blog',
        title: 'Anatomy of a ransomware attack on a shipping line',
        trap: {
          kind: 'third_party',
          signals: ['security_incident'],
          why: 'A researcher’s account of somebody else’s breach.',
        },
        text: `
Two weeks ago Portolan Shipping was hit by ransomware. Booking and invoicing were down for days and files were stolen. From what is public we can piece together how the attackers came in.

The door was a remote-access box that had been installed for a supplier in {year-5} and then forgotten. Its software had a hole for which an update had been out for eight months. From there to the file server it took them, going by the timestamps, fifty minutes.

Three lessons. Know your boxes. Give suppliers a key that expires. And practise the restore: Portolan had backups that worked, which is why it did not have to pay.`,
      },
      {
        slug: 'doorkeeper',
        days: 27,
        title: 'Hollowgate unveils Doorkeeper to close forgotten access in one click',
        tells: ['product_launch'],
        text: `
Tel Aviv, {date} – Hollowgate Security today unveiled Doorkeeper, a product that not only finds forgotten access into a network but closes it. Until now customers received a list from Hollowgate and had to work through it themselves.

Doorkeeper connects to firewalls and identity systems, shows who last used each door and what would break, and shuts it on command. A door closed by mistake opens again within ten seconds.

“Our own numbers shamed us. Of the doors we reported last year, four in ten were still open after three months,” said Noa Ben-Shalev, Chief Executive Officer.

Twelve customers took part in the trial. Between them they closed 3,800 doors in ten weeks, the oldest of which had been open since 2009.

Doorkeeper is generally available today for all Hollowgate customers and costs four dollars a month for each closed door, capped.`,
      },
    ],
  },
  {
    name: 'Anvilry',
    domain: 'anvilry.example',
    industry: 'Industrial software',
    country: 'Germany',
    country_code: 'DE',
    city: 'Munich',
    employees: 140,
    founded_year: 2014,
    description: 'Anvilry connects machine tools of any age and shows what they do.',
    boilerplate:
      'Anvilry, until last year known as Oldforge Labs, connects machine tools of any age. It is based in Munich.',
    site: {
      theme: 'semantic',
      team: 'definitions',
      feed: 'atom',
      caching: 'both',
      formerly: ['oldforge-labs.example'],
    },
    people: `
Katharina Wiesinger, Chief Executive Officer [profile]
Benedikt Aumüller, Chief Technology Officer [profile]
Leon Hartwich, Head of Sales DACH [email, profile]
Miriam Osterkamp, People & Culture Manager`,
    openings: `
Software Engineer Edge Devices, Engineering, 6
Field Application Engineer, Customer Success, 12
Inside Sales Representative, Sales, 9`,
    articles: [
      {
        slug: 'seed-extension',
        days: 29,
        title: 'Anvilry receives €9 million from Isarquell and the European Innovation Council',
        tells: ['funding'],
        text: `
Munich, {date} – Anvilry has received nine million euros in fresh capital. Six million come from the industrial investor Isarquell, three million from the European Innovation Council. Both had been in talks with the company since spring.

Anvilry’s boxes read the current that a machine draws and tell from it what the machine is doing, even if it left the factory before there was software. Four hundred workshops use them.

The company sells mostly to workshops with fewer than a hundred employees, where the oldest machine is often also the busiest. A box is fitted in a quarter of an hour and without opening the machine’s cabinet, so that no warranty is touched. After a week it tells turning from milling, and after a month a sharp tool from a blunt one.

“A lathe from 1968 does not have an interface. It has a hum,” said Katharina Wiesinger, Chief Executive Officer. “We listen to the hum.”`,
      },
    ],
  },
]
