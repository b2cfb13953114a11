import type { CompanySeed } from './types.ts'

export const HEALTH: readonly CompanySeed[] = [
  {
    name: 'Stromavel Therapeutics',
    domain: 'stromavel.example',
    industry: 'Biotechnology',
    country: 'United States',
    country_code: 'US',
    city: 'Boston',
    employees: 85,
    founded_year: 2014,
    description: 'Stromavel Therapeutics develops medicines for fibrosis of the liver and lung.',
    boilerplate:
      'Stromavel Therapeutics is a clinical-stage biotechnology company developing medicines that loosen scar tissue in the liver and lung. Its lead candidate, STV-201, is in a Phase 2 study. Stromavel is based in Boston.',
    site: { theme: 'semantic', team: 'profiles', feed: 'rss', caching: 'both', news: '/investors/press-releases' },
    people: `
Rebecca Lindqvist-Shaw, Ph.D., President and Chief Executive Officer [profile]
Anand Krishnamurthy, M.D., Chief Medical Officer [profile]
Gail Prentiss, Chief Financial Officer [profile]
Theo Marchetti, Ph.D., Chief Scientific Officer [profile]
Wanda Iwu, Vice President, Clinical Operations`,
    cik: 9990021,
    articles: [
      {
        slug: 'chief-medical-officer',
        days: 17,
        title: 'Stromavel Therapeutics appoints Anand Krishnamurthy, M.D., as Chief Medical Officer',
        event: 'stromavel-cmo',
        tells: ['leadership_change'],
        text: `
BOSTON, {date} -- Stromavel Therapeutics, a clinical-stage biotechnology company, today announced the appointment of Anand Krishnamurthy, M.D., as Chief Medical Officer. Dr. Krishnamurthy brings more than twenty years of experience in hepatology and drug development.

"Anand has taken two medicines for liver disease from first patient to approval," said Rebecca Lindqvist-Shaw, Ph.D., President and Chief Executive Officer. "As STV-201 enters the last months of its Phase 2 study there is no one I would rather have reading the data."

Before joining Stromavel, Dr. Krishnamurthy was Vice President of Clinical Development at a company focused on metabolic disease. He trained at the Christian Medical College in Vellore and at Massachusetts hospitals, and continues to see patients one day a week.

"Patients with fibrosis are usually told to wait," said Dr. Krishnamurthy. "I came because this team is in a hurry for the right reasons."

Forward-Looking Statements

This press release contains forward-looking statements, including statements regarding the timing of data from the Phase 2 study, the potential of STV-201, and Stromavel's ability to enter into collaborations, to raise additional capital and to launch products, if approved. Actual results may differ materially.`,
        trap: {
          kind: 'forward_looking',
          signals: ['funding', 'partnership', 'product_launch'],
          why: 'Only the forward-looking statements speak of capital, collaborations and launches.',
        },
      },
      {
        slug: 'offering-two-years-ago',
        days: 520,
        title: 'Stromavel Therapeutics prices $60 million public offering of common stock',
        trap: { kind: 'old', signals: ['funding'], why: 'More than a year old.' },
        text: `
BOSTON, {date} -- Stromavel Therapeutics today announced the pricing of an underwritten public offering of 7,500,000 shares of its common stock at $8.00 per share. Gross proceeds are expected to be $60 million before underwriting discounts. The offering is expected to close on or about {date+3}.`,
      },
    ],
  },
  {
    name: 'Ilmarine Health',
    domain: 'ilmarine-health.example',
    industry: 'Healthcare software',
    country: 'Estonia',
    country_code: 'EE',
    city: 'Tallinn',
    employees: 110,
    founded_year: 2018,
    description: 'Ilmarine Health makes triage software for family doctors.',
    boilerplate:
      'Ilmarine Health makes triage software for family doctors. Two million patients in Estonia, Finland and Latvia describe their complaint to Ilmarine before they see a nurse.',
    site: { theme: 'next', team: 'cards', feed: 'rss-full', caching: 'etag', blog: true },
    people: `
Kadri Tammsaar, Chief Executive Officer [profile]
Rein Luuk, Chief Technology Officer [profile]
Dr. Piret Saaremäe, Chief Medical Officer
Markku Hietala, Country Manager Finland [email, profile]`,
    articles: [
      {
        slug: 'series-a',
        days: 8,
        title: 'Ilmarine Health secures €14 million to take the queue out of primary care',
        event: 'ilmarine-series-a',
        tells: ['funding'],
        arguable: ['leadership_change'],
        text: `
Tallinn, {date} – Ilmarine Health has secured €14 million in Series A financing. Lead investor is Soome Lahe Capital; Karjala Health Ventures and a group of forty family doctors, who put in a total of €900,000 of their own money, also took part.

Ilmarine’s software asks patients what a good nurse would ask, before they call. It sorts out who should come today, who can wait and who needs only a prescription. In practices that use it, the phone rings a third less often.

“When your users invest their savings, you sleep differently,” said Kadri Tammsaar, Chief Executive Officer. “Better, but also less.”

Tõnu Aavik of Soome Lahe Capital takes a seat on the supervisory board. The company had previously raised €3.5 million in seed funding.`,
      },
      {
        slug: 'into-sweden',
        days: 40,
        title: 'Ilmarine Health starts in Sweden with an office in Uppsala',
        tells: ['expansion'],
        text: `
Tallinn and Uppsala, {date} – Ilmarine Health is now active in Sweden. The company has opened an office in Uppsala and begun work with its first four practices there. Sweden is its fourth market after Estonia, Finland and Latvia.

Every text a patient reads was rewritten rather than translated. “Swedes apologise before they describe a pain, Estonians leave the pain out,” said Dr. Piret Saaremäe, Chief Medical Officer, who spent two months listening to calls in Uppsala.

Swedish regions decide on their own which software their health centres may use. Ilmarine was admitted to the list of Region Uppsala after a review of ten months. In the first three weeks about 2,400 patients described their complaint in the app; a nurse read each answer within an hour on average.

The local team of five is led by Agnes Lilliehöök, who ran a regional health line for eight years.`,
      },
    ],
  },
  {
    name: 'Brightfen Clinics',
    domain: 'brightfen.example',
    industry: 'Healthcare',
    country: 'United Kingdom',
    country_code: 'GB',
    city: 'Leeds',
    employees: 1400,
    founded_year: 2005,
    description: 'Brightfen Clinics runs physiotherapy and imaging clinics across England.',
    boilerplate: 'Brightfen Clinics runs 86 physiotherapy and imaging clinics across England. It is based in Leeds.',
    site: { theme: 'wordpress', team: 'headings', feed: 'rss', caching: 'modified', news: '/media' },
    people: `
Catherine Ormsby, Chief Executive
Joanna Thistlewood, Legal Director
Vikram Anand, Chief Information Officer [email]
Dr. Helen Garside, Clinical Director`,
    articles: [
      {
        slug: 'patient-data-notice',
        days: 26,
        title: 'Notice to patients about unauthorised access to appointment records',
        tells: ['security_incident'],
        text: `
Leeds, {date}. On {date-9} we discovered that an unauthorised person had gained access to the system in which some of our clinics keep appointments. We are writing to everyone whose details were involved, and we want to explain here what happened.

Between {date-20} and {date-9} the intruder used the stolen password of a supplier to view and download appointment records of about 41,000 patients of our clinics in Yorkshire and Lincolnshire. The records contain names, dates of birth, telephone numbers and the type of appointment. They contain no images, reports or payment details.

We have closed the access, reset all supplier passwords and reported the breach to the Information Commissioner’s Office and to NHS England. At this time we have no evidence that the data has been misused.

“People trust us with things they tell nobody else. We let some of them down and I apologise,” said Catherine Ormsby, Chief Executive. A helpline is open on weekdays from eight to eight.`,
      },
      {
        slug: 'imaging-platform',
        days: 60,
        title: 'All Brightfen imaging now runs on Clearpane',
        tells: ['technology_adoption'],
        text: `
Leeds, {date}. Brightfen Clinics has standardised on the Clearpane imaging platform in all 31 of its MRI and X-ray centres. The roll-out, which began in Hull in {month-200}, was completed last week in Grimsby.

Radiologists can now report on a scan from any of our sites on the day it is taken. Before, discs travelled by van.

More than 190,000 patients a year have a scan at Brightfen. Until the roll-out each centre chose its own equipment and software, a heritage of the years in which the group grew. Staff were trained in pairs, one radiographer and one receptionist, because, as the project team found, it is the receptionist whom patients ask where their pictures are.

“We retired nine archives, two of them older than the colleagues who looked after them,” said Vikram Anand, Chief Information Officer. Clearpane was selected after a tender in which five suppliers took part.`,
      },
    ],
  },
  {
    name: 'Velloria Diagnostics',
    domain: 'velloria.example',
    industry: 'Medical devices',
    country: 'Switzerland',
    country_code: 'CH',
    city: 'Basel',
    employees: 260,
    founded_year: 2010,
    description: 'Velloria Diagnostics makes bedside blood tests for intensive care.',
    boilerplate:
      'Velloria Diagnostics makes bedside blood tests that give intensive-care teams an answer in eight minutes. The company is based in Basel and employs 260 people.',
    site: { theme: 'divsoup', team: 'microdata', feed: 'atom', caching: 'both' },
    people: `
Dr. Matthias Oberholzer, Chief Executive Officer [profile]
Chantal Rochat, Chief Commercial Officer [email, profile]
Dr. Livia Brunschwiler, Head of Research
Sandro Bianchetti, Head of Regulatory Affairs`,
    articles: [
      {
        slug: 'sepsis-panel',
        days: 20,
        title: 'Velloria releases sepsis panel for its bedside analyser',
        tells: ['product_launch'],
        text: `
Basel, {date} – Velloria Diagnostics has brought a new test to market. The Velloria Sepsis Panel measures five markers from two drops of blood and tells intensive-care teams within eight minutes how likely a patient is to develop sepsis in the next day. It runs on the bedside analyser that 700 hospitals already own.

The panel received its European certificate in {month-45} and is available in the European Union, Switzerland and the United Kingdom with immediate effect.

In a study with 1,130 patients in Basel, Lyon and Graz, the test raised the alarm on average seven hours before the clinical signs.

“Seven hours is the difference between a course of antibiotics and a month on a ventilator,” said Dr. Livia Brunschwiler, Head of Research.`,
      },
      {
        slug: 'distribution-telvaro-medical',
        days: 67,
        title: 'Velloria Diagnostics and Harbourgate Medical sign distribution agreement for South-East Asia',
        tells: ['partnership'],
        arguable: ['expansion'],
        text: `
Basel/Singapore, {date} – Velloria Diagnostics and Harbourgate Medical, a distributor of hospital equipment in Singapore, have signed an exclusive distribution agreement. Harbourgate will sell and service Velloria’s analysers and tests in Singapore, Malaysia, Thailand and Vietnam.

Twelve technicians of Harbourgate were trained in Basel over the past weeks.

Harbourgate Medical represents manufacturers from nine countries and looks after equipment in more than 300 hospitals. It runs a spare-parts store at Changi that answers day and night. First analysers have been installed for demonstration at two teaching hospitals in Singapore; tenders in Malaysia are expected next year. Both sides agreed to keep the terms of the contract to themselves.

“Harbourgate’s people are in the intensive-care units every day. We would have needed years to be known there,” said Chantal Rochat, Chief Commercial Officer of Velloria.`,
      },
    ],
  },
  {
    name: 'Dentavo',
    domain: 'dentavo.example',
    industry: 'Dental supplies',
    country: 'Poland',
    country_code: 'PL',
    city: 'Kraków',
    employees: 75,
    founded_year: 2013,
    description: 'Dentavo mills crowns and bridges for dentists overnight.',
    boilerplate: 'Dentavo mills crowns and bridges for 1,900 dentists in Central Europe, overnight, in Kraków.',
    site: { theme: 'static', team: 'bold', feed: null, caching: 'etag', json_ld: false },
    people: `
Agnieszka Wrona, Owner and Managing Director [email]
Marcin Sobczak, Production Manager
Dorota Lis-Nowak, Customer Service Manager`,
    articles: [
      {
        slug: 'gazelle-award',
        days: 29,
        title: 'Dentavo among the fastest-growing companies of the region once more',
        trap: {
          kind: 'award',
          signals: ['expansion', 'hiring', 'funding'],
          why: 'A prize and its praise; no event of its own.',
        },
        text: `
Kraków, {date}. For the third time Dentavo has received the Małopolska Gazelle, a prize for the fastest-growing mid-sized companies of the region. The jury looked at sales over five years.

“The jury was impressed by Dentavo’s steady expansion and its talent for finding good people in a difficult market,” the citation says. The prize comes with a glass gazelle and no money.

“It stands next to the other two. They are good company for each other,” said Agnieszka Wrona, Owner and Managing Director.`,
      },
      {
        slug: 'considering-vienna',
        days: 66,
        title: 'Summer greetings from Kraków',
        trap: { kind: 'plan', signals: ['acquisition', 'product_launch'], why: 'Vague hopes for a later time.' },
        text: `
Kraków, {date}. The mills get new filters, the team gets two weeks of rest, and the coffee machine gets the descaling it deserves.

Thank you for your patience with us in spring, when the courier strike delayed many of your cases. We have since found a second courier.

What comes after the break? We would like to offer clear aligners one day, and have looked at a small laboratory in Vienna that might fit us. Neither is more than an idea. If you hear otherwise, ask us.`,
      },
    ],
  },
]
