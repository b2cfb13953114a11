import type { CompanySeed } from './types.ts'

export const LOGISTICS: readonly CompanySeed[] = [
  {
    name: 'Meridon Freight',
    domain: 'meridon-freight.example',
    industry: 'Logistics',
    country: 'Netherlands',
    country_code: 'NL',
    city: 'Rotterdam',
    employees: 2300,
    founded_year: 1979,
    description: 'Meridon Freight moves containers by barge and rail between the North Sea ports and the Alps.',
    boilerplate:
      'Meridon Freight is one of the largest operators of barge and rail shuttles between Rotterdam, Antwerp and the inland terminals along the Rhine. The company was founded in 1979 and employs about 2,300 people.',
    site: {
      theme: 'wordpress',
      team: 'elementor',
      feed: 'rss',
      caching: 'both',
      sitemap: 'index',
      news: '/news-and-press',
    },
    people: `
Hendrik Vroomen, Chief Executive Officer
Annelies de Graaf-Smit, Chief Commercial Officer [email]
Stefan Lüthi, Managing Director Switzerland
Maartje Hoekstra, Director Digital
Ruben Achterkamp, Fleet Manager`,
    wikidata: { id: 'Q999900005', employees: 2250 },
    board: {
      vendor: 'smartrecruiters',
      openings: `
Barge Captain, Fleet, 8
Train Planner, Operations, 5
Terminal Operator Basel, Operations, 16
Data Analyst, Digital, 13
Customs Specialist, Customer Service, 27
Key Account Manager, Sales, 10`,
    },
    articles: [
      {
        slug: 'basel-terminal',
        days: 11,
        title: 'Meridon Freight opens trimodal terminal in Basel',
        event: 'meridon-basel',
        tells: ['expansion'],
        text: `
Rotterdam/Basel, {date} – Meridon Freight has opened its fifth inland terminal, at the Rhine port of Basel. Barges, trains and trucks meet there under one crane. The terminal can handle 180,000 containers a year and is Meridon’s first site in Switzerland.

The first barge, the Jacoba, made fast at six in the morning with 112 containers on board. By the afternoon most of them were on a train to Lugano.

“Our Swiss customers have asked us for years to come to the top of the river. Now we have,” said Hendrik Vroomen, Chief Executive Officer of Meridon Freight. Stefan Lüthi, who heads the Swiss company, added that trucks waiting at the gate should be a thing of the past: “You book a slot, you get a slot, you are out in twenty minutes.”

The Canton of Basel-Stadt has leased the site to Meridon for thirty years.`,
      },
      {
        slug: 'railyard-planning-system',
        days: 52,
        title: 'Meridon Freight rolls out Railvista across all terminals',
        tells: ['technology_adoption'],
        text: `
Rotterdam, {date} – All Meridon Freight terminals now plan their trains with Railvista, the scheduling software of the Finnish company Ratakoodi. The last terminal, Duisburg, switched over on {date-3}.

Railvista replaces three systems and, as Maartje Hoekstra, Director Digital, admits, “a wall of magnets”. Planners in Rotterdam and on the Rhine now work in one timetable. When a barge is late, the train that waits for its boxes is replanned within a minute.

Some 340 planners, crane drivers and dispatchers were trained for the change, most of them on night shifts and by colleagues from Nijmegen rather than by consultants. The magnets have been given to a railway museum in Utrecht, which has promised to keep them in order.

Meridon had tested the software at its Nijmegen terminal for half a year before deciding to introduce it everywhere.`,
      },
    ],
  },
  {
    name: 'Kestrel & Vane Logistics',
    domain: 'kestrelvane.example',
    industry: 'Logistics',
    country: 'United Kingdom',
    country_code: 'GB',
    city: 'Felixstowe',
    employees: 520,
    founded_year: 1994,
    description: 'Kestrel & Vane Logistics runs bonded warehouses and customs services for importers.',
    boilerplate:
      'Kestrel & Vane Logistics operates seven bonded warehouses and one of the largest independent customs teams on the east coast of England.',
    site: { theme: 'semantic', team: 'definitions', feed: 'rss', caching: 'etag', www: true },
    people: `
Judith Kestrel, Chair
Malcolm Vane, Managing Director
Priti Chauhan, Finance Director [email, +44 20 7946 0153]
Owen Lacey, Head of Customs [email, profile]
Stuart Penhaligon, IT Director`,
    articles: [
      {
        slug: 'warehouse-robots',
        days: 19,
        title: 'Kestrel & Vane brings Halden robots into its Felixstowe cold store',
        event: 'kestrel-halden',
        tells: ['technology_adoption'],
        text: `
Felixstowe, {date}. Kestrel & Vane Logistics has put ten picking robots from Halden Robotics to work in its frozen warehouse at Trimley. They are the first of their kind in a British bonded store.

The machines carry out the night picks, between ten in the evening and six in the morning, when it used to be hardest to find staff. Stock records are written straight into the customs warehouse ledger.

“No job has gone. Nobody wanted these shifts in the first place,” said Malcolm Vane, Managing Director. Stuart Penhaligon, IT Director, said the company looked at three suppliers before choosing Halden. “Two of the robots we tried gave up below minus twenty.”

After a trial of four months the robots have now been taken over into regular operation.`,
      },
      {
        slug: 'new-managing-director',
        days: 72,
        title: 'Malcolm Vane to lead Kestrel & Vane as Judith Kestrel becomes Chair',
        tells: ['leadership_change'],
        text: `
Felixstowe, {date}. After twenty-six years at the head of the company she co-founded, Judith Kestrel will hand over as Managing Director of Kestrel & Vane Logistics on {date+10}. She will become Chair of the board. Her successor is Malcolm Vane, until now Operations Director and son of the late co-founder Arthur Vane.

“I promised Arthur I would stay until Malcolm was ready or I was tired, whichever came first,” said Judith Kestrel. “He was ready some time ago.”

During her time the company grew from one shed with a leaking roof to seven bonded warehouses. She steered it through two recessions and the return of customs paperwork, for which she trained sixty declarants in a church hall. She will keep an office in Felixstowe but says that she has handed in her keys to the forklift.

Malcolm Vane joined as a warehouse hand during a school holiday and has since run every one of the company’s seven sites.`,
      },
    ],
  },
  {
    name: 'Northpass Cargo',
    domain: 'northpass-cargo.example',
    industry: 'Air cargo',
    country: 'Canada',
    country_code: 'CA',
    city: 'Vancouver',
    employees: 340,
    founded_year: 2006,
    description: 'Northpass Cargo flies freight to communities in the far north of Canada.',
    boilerplate:
      'Northpass Cargo flies food, fuel and machinery to 58 communities in Yukon, the Northwest Territories and Nunavut with a fleet of 19 aircraft.',
    site: { theme: 'divsoup', team: 'headings', feed: null, caching: 'none', json_ld: false, sitemap: 'plain' },
    people: `
Beverly Tootoosis, President and Chief Executive Officer
Grant McAllan, Chief Pilot
Sophie Arseneault, Vice President, Commercial [email]`,
    articles: [
      {
        slug: 'statement-on-media-reports',
        days: 13,
        title: 'Statement on recent media reports',
        trap: {
          kind: 'rumour',
          signals: ['acquisition'],
          why: 'Speculation by others, which the company does not comment on.',
        },
        text: `
Vancouver, {date}. Northpass Cargo is aware of reports in the press according to which a larger airline is said to be considering an offer for the company.

It is our long-standing practice not to comment on market speculation. There is no agreement of any kind with any party, and there can be no assurance that any transaction will ever be proposed.

Our flights, our schedules and our people are the same today as they were yesterday. Customers with questions should call the number on their waybill.`,
      },
      {
        slug: 'nunavut-clinics',
        days: 36,
        title: 'Northpass Cargo wins five-year contract to supply Nunavut health centres',
        tells: ['customer_win'],
        text: `
Vancouver, {date}. The Government of Nunavut has awarded Northpass Cargo a five-year contract for the delivery of medical supplies to 24 health centres. The contract is worth an estimated 41 million Canadian dollars and begins on {date+45}.

Under the contract Northpass will fly vaccines, blood products and equipment from Ottawa and Winnipeg at least twice a week, in containers whose temperature is recorded on the whole way.

“A nurse in Grise Fiord should not have to wonder whether the box will come,” said Beverly Tootoosis, President and Chief Executive Officer. “We have flown there for eighteen years. We know where the wind comes from.”

The health centres are between 60 and 1,500 kilometres from the nearest hospital, and most can be reached only by air for ten months of the year. A late box can mean that a clinic goes without insulin for a week.

Northpass was chosen from among three bidders.`,
      },
    ],
  },
  {
    name: 'Portolan Shipping',
    domain: 'portolan-shipping.example',
    industry: 'Maritime transport',
    country: 'Greece',
    country_code: 'GR',
    city: 'Piraeus',
    employees: 680,
    founded_year: 1968,
    description: 'Portolan Shipping operates product tankers and small container ships in the Mediterranean.',
    boilerplate:
      'Portolan Shipping operates 31 product tankers and feeder container ships in the Mediterranean and the Black Sea. The family-owned company was founded in 1968 in Piraeus.',
    site: { theme: 'table', team: 'table', feed: 'rss', caching: 'modified', news: '/announcements' },
    people: `
Stavros Kalligas, Chairman
Eleni Kalligas-Moraitis, Chief Executive Officer [email]
Dimitra Petropoulou, Chief Information Officer
Captain Nikos Valsamis, Fleet Director`,
    articles: [
      {
        slug: 'cyber-incident',
        days: 15,
        title: 'Portolan Shipping informs about cyber attack on its booking systems',
        event: 'portolan-attack',
        tells: ['security_incident'],
        text: `
Piraeus, {date} – In the early hours of {date-2}, Portolan Shipping became the target of a ransomware attack. The attackers encrypted servers of the booking and invoicing systems at our head office and copied a part of the files stored there.

Ships, crews and cargo were not in danger at any time. Navigation and engine systems on board are separate from the office network. Customers can book by telephone and e-mail until further notice.

Immediately after discovering the intrusion we cut the affected systems off from the network, called in external specialists and informed the Hellenic Data Protection Authority and the police. According to what we know today, the copied files contain contact data of customers and suppliers and, in some cases, bank details. Those affected are being contacted directly.

“We are sorry for the trouble this causes our customers,” said Eleni Kalligas-Moraitis, Chief Executive Officer. “We have not paid, and we are rebuilding from backups.” The company expects the booking portal to be back within ten days.`,
      },
      {
        slug: 'orders-two-feeders',
        days: 140,
        title: 'Portolan Shipping and Varna yard agree on joint design office',
        trap: { kind: 'old', signals: ['partnership'], why: 'More than 90 days old.' },
        text: `
Piraeus, {date} – Portolan Shipping and the Varna shipyard Chernomor signed an agreement today to set up a joint design office for methanol-ready feeder ships. Each side will send ten engineers.

“We know what we want to sail, they know what they can weld,” said Captain Nikos Valsamis, Fleet Director.`,
      },
    ],
  },
  {
    name: 'Wexbury Data Centres',
    domain: 'wexbury.example',
    industry: 'Data centres',
    country: 'United Kingdom',
    country_code: 'GB',
    city: 'Slough',
    employees: 210,
    founded_year: 2008,
    description: 'Wexbury Data Centres runs colocation halls west of London.',
    boilerplate: 'Wexbury Data Centres runs four colocation halls with 38 megawatts of capacity west of London.',
    site: {
      theme: 'divsoup',
      team: 'soup',
      feed: 'rss',
      caching: 'both',
      www: true,
      formerly: ['thames-hosting.example'],
    },
    people: `
Imogen Fairclough, Chief Executive Officer [profile]
Darnell Whyte, Chief Operating Officer [profile]
Tomasz Rybak, Head of Facilities`,
    articles: [
      {
        slug: 'debt-facility',
        days: 28,
        title: 'Wexbury secures £140m green loan for heat-recovery halls',
        tells: ['funding'],
        arguable: ['expansion', 'partnership', 'customer_win'],
        text: `
Slough, {date}. Wexbury Data Centres has secured a £140 million loan facility from a group of four banks. The loan is tied to targets for heat recovery and water use, and its margin falls when the targets are met.

The facility refinances £85 million of existing borrowing. The remainder pays for two new halls next to the company’s campus at Langley, whose waste heat will warm 3,500 homes under an agreement with Slough Borough Council.

“Ten years ago a lender asked about our diesel generators. This time they asked about tomatoes in the greenhouse next door,” said Imogen Fairclough, Chief Executive Officer.

The halls at Langley will be cooled with water from the Grand Union Canal for most of the year. Wexbury expects to need a third less electricity for cooling than an ordinary hall of the same size. Around 180 companies keep their servers with Wexbury, among them two broadcasters and a racing team.

Ferris Holt advised Wexbury; Margrave & Partners advised the lenders.`,
      },
    ],
  },
]
