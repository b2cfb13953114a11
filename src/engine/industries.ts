// Industries by the many names people and directories give them.
import { nearest } from './near.ts'
import { foldText } from './titles/words.ts'

type Industry = {
  key: string
  /** An industry may belong to several: fintech is software and finance. */
  parents: string[]
  names: string[]
}

/** One a line: key, what it belongs to after <, names after a colon. Names are folded: no case, no accents, "and" for &. */
const TABLE = `
technology: tech, it, information technology, information technology and services, it services, it services and it consulting, ict, information and communication technology, technology information and internet, internet, high tech, computer industry, information services, information technology industry
software < technology: software development, computer software, software industry, softwareentwicklung, it software, enterprise software, application software, software and services, software products, software company, mobile app development, software publishers, apps
saas < software: software as a service, cloud software, b2b saas, b2b software, vertical saas
cloud < software: cloud computing, cloud infrastructure, cloud services, iaas, paas, infrastructure as a service, platform as a service, web hosting, data centers
cybersecurity < software: cyber security, computer and network security, information security, it security, network security, infosec, data security, computer security
artificial_intelligence < software: ai, artificial intelligence, machine learning, generative ai, deep learning, ai ml, ki
data_analytics < software: data, data companies, analytics, data analytics, big data, business intelligence, data infrastructure, data and analytics, data warehousing
developer_tools < software: devtools, developer tools, devops, development tools
ecommerce_software < software ecommerce: e commerce software, ecommerce platform, e commerce platform
hr_tech < software human_resources: hr software, hrtech, hr tech, human resources software, recruiting software
martech < software marketing: marketing technology, marketing software, adtech, advertising technology, marketing automation
sales_tech < software: sales software, crm software, salestech, sales enablement
legal_tech < software legal: legaltech, legal software, regtech
proptech < software real_estate: real estate technology, property technology, real estate software
edtech < software education: education technology, educational technology, e learning, elearning, e learning providers, online learning
fintech < software financial_services: financial technology, payments, digital payments, payment processing, digital banking, neobank, insurtech
crypto < fintech: blockchain, cryptocurrency, cryptocurrencies, web3, bitcoin
health_tech < software healthcare: healthtech, digital health, health technology, healthcare technology, health it, telemedicine, telehealth, healthcare software, health information technology
logistics_tech < software logistics: supply chain software, logistics software, logistics technology, freight technology
gaming < software media: computer games, video games, video game, video game industry, games, game development, mobile games, gaming industry, esports
hardware < technology: computer hardware, computer hardware manufacturing, computer hardware industry, computers and electronics manufacturing, computer networking products, computer networking, iot, internet of things
semiconductors < hardware manufacturing: semiconductor, semiconductor manufacturing, semiconductor industry, chips, microelectronics
electronics < hardware manufacturing: consumer electronics, electrical and electronic manufacturing, electrical electronic manufacturing, electronics industry, electronic components, appliances electrical and electronics manufacturing, appliances
telecommunications < technology: telecom operators, telecom, telecoms, telco, telecommunication, wireless, wireless services, broadband, mobile network operator, telecommunications industry
robotics < hardware manufacturing: industrial automation, automation, automation machinery manufacturing, drones, robots, automation industry
space < aerospace: space technology, spacetech, satellite, satellites
financial_services: finance, financials, financial institutions, financial, financial industry, financial sector, financial service, financial services industry, diversified financial services, consumer finance, lending, wealth management, finanzdienstleistungen
banking < financial_services: bank, banks, investment banking, commercial banking, retail banking, credit union, credit unions, banking industry, finance and banking
insurance < financial_services: insurer, insurers, insurance companies, insurance carriers, insurance agencies and brokerages, reinsurance, insurance industry, versicherung, versicherungen
investment < financial_services: investment management, asset management, asset managers, fund managers, investment firms, venture capital, private equity, venture capital and private equity, venture capital and private equity principals, hedge fund, hedge funds, capital markets, investments
accounting < professional_services: accountancy, accountants, bookkeeping, audit, tax services, tax
healthcare: health care, health, healthcare providers, care providers, health wellness and fitness, mental health care, medical, medicine, health services, health sector, health industry, healthcare industry, gesundheitswesen, veterinary
hospitals < healthcare: hospital, hospital and health care, hospitals and health care, hospital chains, clinics, clinic, medical practice, medical practices, medical centers, nursing homes
biotech < life_sciences: biotechnology, biotechnology research, biotechnologies, genomics, bioscience, biotechnology industry
pharma < life_sciences manufacturing: pharmaceutical producers, pharmaceuticals, pharmaceutical, pharmaceutical manufacturing, pharmaceutical industry, drug development, drug manufacturing
life_sciences < healthcare: life science, biopharma, biopharmaceuticals, biosciences
medical_devices < healthcare manufacturing: medical device, medical equipment, medical equipment manufacturing, medtech, medical technology, medical technology industry, medizintechnik, diagnostics
manufacturing: industrial, industrials, industrial manufacturing, industrial goods, manufacturer, manufacturers, producers, production, producing industry, factories, industry and manufacturing, manufacturing industry, fertigung, hersteller, 3d printing, additive manufacturing
packaging < manufacturing: packaging and containers, packaging and containers manufacturing
plastics < manufacturing: plastics manufacturing, rubber, plastics and rubber
furniture < manufacturing consumer_goods: furniture and home furnishings manufacturing
paper < manufacturing: paper and forest products, pulp and paper, paper and forest product manufacturing
printing < manufacturing: printing services, printers
machinery < manufacturing: machinery manufacturing, industrial machinery, industrial machinery manufacturing, mechanical engineering, mechanical or industrial engineering, machine building, machine builders, machine makers, machinery makers, machine tools, equipment manufacturers, maschinenbau, industrial engineering, industrial equipment, tools
automotive < manufacturing: automobile, car makers, carmakers, car manufacturers, automakers, auto makers, auto manufacturers, automotive suppliers, vehicle manufacturers, automobiles, motor vehicle manufacturing, motor vehicles, automotive industry, auto parts, vehicles, cars, electric vehicles, ev, mobility, automobilindustrie
shipbuilding < manufacturing: ship building, boat building, boatbuilding, shipyards, shipyard, boats, ships, yachts, marine engineering, naval architecture, schiffbau
instruments < manufacturing: scientific instruments, measuring instruments, test and measurement, measurement technology, laboratory equipment, instrumentation, analytical instruments, optics, photonics, sensors, precision engineering, messtechnik
aerospace < manufacturing: aerospace and defense, aerospace and defence, aviation and aerospace, aviation and aerospace component manufacturing, aviation, aerospace industry, aircraft, luftfahrt
defense < aerospace: defence, defense and space, defense and space manufacturing, military, arms industry
chemicals < manufacturing: chemical, chemical manufacturing, chemical industry, specialty chemicals, chemistry, chemie
textiles < manufacturing consumer_goods: textile, textile manufacturing, apparel, apparel and fashion, apparel manufacturing, fashion, clothing, luxury goods and jewelry, retail apparel and fashion, footwear, fashion industry, textile industry, luxury goods, jewelry
food_beverage < consumer_goods: food processors, food makers, food producers, drinks, food and beverage, food and beverages, food and beverage manufacturing, food and beverage services, food, beverages, beverage, food production, food manufacturing, food industry, food processing, wine and spirits, beverage manufacturing, dairy, brewery, breweries, foodtech, lebensmittel
tobacco < consumer_goods: tobacco products, cigarettes, vaping
consumer_goods < manufacturing: consumer products, consumer brands, consumer packaged goods, cpg, fmcg, fast moving consumer goods, cosmetics, beauty, personal care, sporting goods, sporting goods manufacturing, household goods, pet products, toys
retail: retailer, retailers, shops, stores, retail chains, retail trade, supermarkets, retail groceries, department stores, einzelhandel, grocery, retail industry
ecommerce < retail: e commerce, e commerce brands, online shops, online retailers, webshops, d2c, dtc, direct to consumer, online retail, online shopping, internet retail, internet marketplace platforms, marketplace, online marketplace, internet shop
wholesale: wholesale trade, distribution, wholesalers, import and export, international trade and development, grosshandel, trading company, building materials wholesale
logistics < transportation: logistics and supply chain, supply chain, transportation logistics supply chain and storage, freight, freight and package transportation, shipping, warehousing, warehousing and storage, supply chain management, logistik, freight forwarding, freight forwarders, third party logistics, 3pl
couriers < logistics: courier, package freight delivery, package delivery, parcel delivery, last mile delivery, courier services
transportation: transport, transportation trucking railroad, trucking, truck transportation, rail, railroad, railway, railways, rail transportation, airlines, airlines aviation, airlines and aviation, airline, maritime, maritime transportation, public transport, ground passenger transportation, transport and logistics, transportation and logistics, verkehr
energy: energy industry, oil and energy, energy sector, power, power generation, electric power, electric power generation, energy technology, energie
oil_gas < energy: oil and gas, oil gas, petroleum, petroleum industry, oil gas and mining, natural gas, upstream oil and gas
renewable_energy < energy: renewables, renewables and environment, renewable energy semiconductor manufacturing, solar, solar energy, solar power, wind power, wind energy, clean energy, cleantech, clean tech, greentech, climate tech, climatetech, batteries, energy storage, hydrogen, erneuerbare energien
utilities < energy: utility, utility companies, electric utilities, water utilities, water supply, gas utilities, electric utility, public utility
environment: environmental services, waste management, recycling, waste collection, sustainability, environmental, water treatment
mining: mining and metals, metals and mining, minerals, mining industry, gold mining, miners
metals < manufacturing: metal, metal industry, steel, primary metal manufacturing, steel industry, metallurgy, metalworking, metal fabrication, foundries, fabricated metal products
agriculture: farming, agtech, agritech, agribusiness, agricultural technology, horticulture, dairy farming, ranching, fishery, forestry, ranching and fisheries, farming ranching forestry, agriculture industry, landwirtschaft
building_materials < construction manufacturing: wholesale building materials, cement, glass ceramics and concrete
construction: building construction, builders, construction companies, civil engineering, building, architecture and planning, architecture, construction industry, infrastructure, bau, bauwesen, contractors, engineering and construction, construction engineering
real_estate: property, commercial real estate, property management, leasing real estate, real estate industry, residential real estate, property development, immobilien, facilities services, facility management
professional_services: business services, services, professional service, outsourcing, outsourcing offshoring, outsourcing and offshoring consulting, business process outsourcing, bpo, security and investigations, translation and localization, events services, events
consulting < professional_services: management consulting, business consulting, business consulting and services, consultancy, consultancies, consultants, strategy consulting, advisory, it consulting, consulting services, unternehmensberatung, engineering services, operations consulting
legal < professional_services: law, law practice, law firm, law firms, legal services, legal industry
human_resources < professional_services: hr, human resources services, hr services, people operations
staffing < human_resources: staffing and recruiting, recruiting, recruitment, executive search, executive search services, talent acquisition, temporary help services, employment services
marketing < professional_services: agencies, agency, marketing agencies, creative agencies, digital agencies, advertising agencies, advertising, marketing and advertising, advertising services, marketing services, public relations, public relations and communications services, market research, digital marketing, advertising agency, digital agency, pr, design services, design, graphic design, advertising industry, werbung
research: research services, research and development, scientific research, think tanks, nanotechnology, r and d
media: publishers, media production, broadcasting, broadcast media, broadcast media production and distribution, publishing, newspapers, newspaper publishing, online media, online audio and video media, book and periodical publishing, writing and editing, mass media, streaming, social media, social networking platforms, radio, television, medien, photography
entertainment < media: entertainment providers, motion pictures and film, movies, music, musicians, film industry, performing arts, film, arts and entertainment, animation, leisure, sports, spectator sports, recreational facilities and services, theater, fine art, arts
gambling < entertainment: gambling and casinos, gambling facilities and casinos, casinos, betting, sports betting, igaming, online gambling
hospitality: hospitality industry, food services, gastronomie
hotels < hospitality: hotel, hotels and motels, hotel industry, hotel chains, resorts
restaurants < hospitality: restaurant, restaurant industry, catering, caterers, bars, cafes, restaurant chains
travel < hospitality: travel and tourism, tourism, leisure travel and tourism, travel arrangements, travel agency, travel tech, traveltech, travel technology, tourism industry, reisen
education: higher education, education management, education administration programs, primary secondary education, primary and secondary education, universities, university, schools, school, professional training and coaching, training, training and development, education industry, bildung, colleges
government: public sector, government administration, public administration, government relations, public policy, public safety, law enforcement, judiciary, legislative office, international affairs, political organization, govtech, civic and social organizations, public services
nonprofit: non profit, non profit organizations, nonprofit organizations, nonprofit organization management, nonprofit organization, ngo, charity, philanthropy, fundraising, religious institutions, individual and family services, civil society, libraries, museums and institutions, museums
`

const INDUSTRIES: Industry[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [head = '', names = ''] = line.split(':')
    const [key = '', parents] = head.split(' < ')
    return {
      key,
      parents: parents ? parents.split(' ') : [],
      names: [key.replaceAll('_', ' '), ...names.trim().split(', ')],
    }
  })

const BY_NAME = new Map(INDUSTRIES.flatMap(({ key, names }) => names.map((name) => [name, key] as const)))
/** Words of the longest name. */
export const LONGEST = Math.max(...[...BY_NAME.keys()].map((name) => name.split(' ').length))
const CHILDREN = new Map<string, string[]>()
for (const { key, parents } of INDUSTRIES)
  for (const parent of parents) CHILDREN.set(parent, [...(CHILDREN.get(parent) ?? []), key])

const PARENTS = new Map(INDUSTRIES.map(({ key, parents }) => [key, parents]))

/** Words that say nothing about the industry. */
const FILLER = new Set(
  (
    'industry industries sector sectors company companies business businesses firm firms provider providers vendor ' +
    'vendors operator operators maker makers producer producers supplier suppliers brand brands group groups startup ' +
    'startups b2b b2c global the'
  ).split(' '),
)
const MAX_CHARS = 300

/** The words of an industry's name, without case, accents and signs. */
export function foldIndustry(text: string): string {
  return foldText(text.slice(0, MAX_CHARS))
    .replaceAll(/[&+]/g, ' and ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Keys of the industries that a text stands for, the one it names first in front; none when it names none we know. */
export function industryKeys(text: string): string[] {
  const whole = BY_NAME.get(foldIndustry(text))
  if (whole) return [whole]
  const parts = text
    .slice(0, MAX_CHARS)
    .split(/[,;/|•>()]|\s[-–—]\s|\s&\s|\band\b/i)
    .flatMap((part) => keyOfPart(foldIndustry(part)) ?? [])
  return [...new Set(parts)]
}

/** The key of a name as it stands, or of its singular or plural. */
export function industryNamed(name: string): string | undefined {
  const others = [name.replace(/ies$/, 'y'), name.replace(/s$/, ''), `${name}s`, name.replace(/y$/, 'ies')]
  return BY_NAME.get(name) ?? BY_NAME.get(others.find((other) => BY_NAME.has(other)) ?? '')
}

/** In a part such as "logistics software" the last industry named is the one it is about. */
function keyOfPart(part: string): string | undefined {
  const words = part.split(' ').filter((word) => !FILLER.has(word))
  const whole = industryNamed(part) ?? industryNamed(words.join(' '))
  if (whole) return whole
  for (let end = words.length; end > 0; end--) {
    for (let start = Math.max(0, end - LONGEST); start < end; start++) {
      const key = industryNamed(words.slice(start, end).join(' '))
      if (key) return key
    }
  }
  return undefined
}

/** A key with those of all that belongs to it. */
export function withChildren(key: string): string[] {
  return [key, ...(CHILDREN.get(key) ?? []).flatMap(withChildren)]
}

/** A key with those of all that it belongs to. */
export function withParents(key: string): string[] {
  return [key, ...(PARENTS.get(key) ?? []).flatMap(withParents)]
}

export type IndustryFilter = {
  /** Keys that fit. */
  keys: string[]
  /** What the taxonomy does not know, folded to be compared as it stands. */
  words: string[]
}

/** What fits one of the industries asked for: these, all that belongs to them, and unknown ones literally. */
export function industryFilter(asked: readonly string[]): IndustryFilter {
  const keys = new Set<string>()
  const words = new Set<string>()
  for (const text of asked) {
    const known = industryKeys(text)
    for (const key of known.flatMap(withChildren)) keys.add(key)
    if (known.length === 0) words.add(foldIndustry(text))
  }
  return { keys: [...keys], words: [...words] }
}

/** True when a company's industry, as it is written, fits the filter. An unknown industry fits none. */
export function matchesIndustry({ keys, words }: IndustryFilter, industry: string | null): boolean {
  if (!industry) return false
  return industryKeys(industry).some((key) => keys.includes(key)) || words.includes(foldIndustry(industry))
}

/** The names of known industries most like a text that names none; without any such, the widest ones. */
export function industriesNear(text: string): string[] {
  const found = nearest(foldIndustry(text), BY_NAME.keys(), 5).map((name) => shownName(BY_NAME.get(name) as string))
  return [...new Set(found)].slice(0, 3)
}

/** The industries that belong to no other. */
export const WIDEST = INDUSTRIES.filter(({ parents }) => parents.length === 0).map(({ key }) => shownName(key))

export function shownName(key: string): string {
  return key.replaceAll('_', ' ')
}
