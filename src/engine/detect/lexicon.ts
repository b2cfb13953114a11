// What the one-pass scan looks for: triggers, each with its signal and the place in the clause where the company
// stands, and cues, classes of words that speak for or against an event. `~` after a verb stands for its four
// regular forms, `|` separates phrases.

import type { SignalId } from '../signals/index.ts'

/**
 * Where the company of the event stands. subject: before the trigger, or after "by"; object: after it; either: both
 * sides are parties; person: the trigger's subject is a person, the company stands on either side; passive: before the
 * trigger and never after "by"; agent: only after "by".
 */
export type Frame = 'subject' | 'object' | 'either' | 'person' | 'passive' | 'agent'

/** `needs`: cue classes of which one must stand in the same sentence; `wants`: one near the trigger makes it stronger. */
export type TriggerGroup = {
  name: string
  signal: SignalId
  frame: Frame
  needs?: readonly CueName[]
  wants?: readonly CueName[]
  phrases: string
}

// Countries, regions and the larger cities: where an expansion goes.
const GEO =
  'europe|european|asia|asian|africa|african|america|american|north america|south america|latin america|middle east|caribbean|pacific|asia pacific|apac|emea|mena|gcc|' +
  'canada|mexico|brazil|argentina|chile|colombia|peru|germany|france|spain|portugal|italy|switzerland|austria|netherlands|belgium|ireland|uk|united kingdom|england|scotland|wales|' +
  'sweden|norway|denmark|finland|poland|czech republic|hungary|romania|greece|turkey|israel|saudi arabia|uae|united arab emirates|qatar|egypt|nigeria|kenya|south africa|ghana|morocco|' +
  'india|pakistan|bangladesh|china|hong kong|taiwan|japan|south korea|korea|vietnam|thailand|indonesia|malaysia|philippines|singapore|australia|new zealand|ukraine|russia|kazakhstan|' +
  'usa|u s|united states|alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|maine|' +
  'maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|' +
  'pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington|wisconsin|wyoming|puerto rico|ontario|quebec|british columbia|alberta|midwest|' +
  'northeast|southeast|southwest|northwest|new england|east coast|west coast|mid atlantic|london|paris|berlin|munich|madrid|barcelona|milan|rome|dublin|amsterdam|zurich|vienna|stockholm|' +
  'dubai|abu dhabi|riyadh|tel aviv|mumbai|delhi|bangalore|bengaluru|tokyo|seoul|shanghai|beijing|sydney|melbourne|toronto|vancouver|montreal|chicago|boston|houston|dallas|austin|atlanta|' +
  'miami|denver|seattle|phoenix|las vegas|los angeles|san francisco|san diego|silicon valley|philadelphia|nashville|charlotte|orlando|tampa|detroit|minneapolis|pittsburgh|portland|' +
  'salt lake city|st louis|kansas city|new orleans|raleigh|columbus|cleveland|cincinnati|brooklyn|manhattan|southern california|south florida|bay area|international|globally|worldwide|nationwide|overseas'

export const CUES = {
  announce:
    'announce~|announcement|pleased to|proud to|thrilled to|excited to|delighted to|proudly|today|officially|confirmed|reveal~',
  rumour:
    'reportedly|in talks|talks|report says|said to be|eyeing|eyes|allegedly|rumor|rumors|rumored|rumour|rumours|rumoured|speculation|speculated|is said to|are said to|in talks|sources say|' +
    'according to sources|people familiar|may|might|could|considering|considers|exploring|weighing|mulling|mulls|potential|possible|possibly|whether|if|would',
  plan: 'plan~|plans to|planned|planning|planning to|aim~ to|intend~ to|hope~ to|seeks to|seeking to|looking to|goal|goals|eyes|poised to|working to|on track|strategy|roadmap|upcoming|future|soon|expects to|expected to|anticipate~',
  firm: 'will|has agreed|have agreed|agreed to|signed|sign|signs|signing|definitive agreement|entered into|enters into|agreement|set to|effective|completed|completes|completion|closed|closes|closing|finalized|successfully|recently|has|have',
  negation:
    "not|no|never|denied|denies|deny|without|cancel~|cancelled|terminated|terminates|termination|n't|didn't|don't|doesn't|won't|isn't|failed to|abandon~|rejects|rejected|unlike|instead of|no longer|rules out|ruled out|rule out|no plans|calls off|called off|dismiss~|scraps|scrapped|declined to comment",
  history:
    'since|previously|founded|established|anniversary|anniversaries|years ago|last year|formerly|history|decade|decades|back in|over the years|in the past|prior to|earlier in|began his career|began her career|he joined|she joined|has served|served as|held|career|most recently|years of experience|has been|have been|was named|inception|celebrates|celebrating|celebrate',
  money: 'million|billion|m|bn|mm|usd|euros|dollars|k|crore',
  fund_noun:
    'funding|financing|round|series a|series b|series c|series d|series e|seed|investment|capital|private placement|credit facility|grant|loan|offering|equity|debt|notes|term loan|line of credit|facility|raise|commitment|backing|proceeds|bridge|venture',
  presale: 'presale|pre sale|token sale|ico|ido|presales|memecoin|meme coin|whitelist|airdrop|tokenomics',
  stock:
    'shares|stock|share price|price target|analyst|analysts|traded|trading|market cap|outperform|volume|dividend|buyback|repurchase|warrants',
  deal_noun:
    'stake|interest|business|company|assets|subsidiary|division|brand|brands|firm|unit|ownership|shares|operations|portfolio|merger|transaction',
  deal_noise:
    'customers|customer|users|user|clients|skills|knowledge|patients|talent|land|property|building|real estate|home|homes|tokens|token|bitcoin|btc|eth|coins|licenses|license|education|data|followers|target acquisition|customer acquisition|equipment|content|properties|multifamily|square foot|apartment|office building|warehouse|talent acquisition|data acquisition',
  adviser:
    'advise~|adviser|advisor|counsel|represented|legal counsel|financial advisor|acted as|brokered|underwriter|bookrunner|placement agent|sponsor|sponsored|according to|analyst',
  title:
    'ceo|cfo|cto|coo|cmo|cro|cio|ciso|cpo|chro|cco|cso|chief|president|vp|svp|evp|avp|vice president|director|directors|managing director|head of|head|as partner|as a partner|as partners|managing partner|equity partner|senior partner|general partner|as principal|as a principal|principal|chairman|chairwoman|chair|chairperson|general manager|board|board member|general counsel|executive|leader|counsel|officer|superintendent|dean|treasurer|manager|advisor|leadership|senior leadership',
  person_noise:
    'award|awards|winner|winners|honoree|recognized|finalist|ambassador|inducted|scholarship|bestseller|who|marquis',
  job_noun:
    'jobs|job|positions|roles|employees|staff|workers|workforce|team|people|hires|headcount|professionals|engineers|technicians|drivers|talent|openings|careers|employment|candidates',
  product:
    'product|products|platform|app|apps|application|service|services|solution|solutions|feature|features|version|model|models|collection|software|tool|tools|line|suite|api|device|system|edition|series|range|portal|dashboard|plugin|sdk|game|technology|offerings|line up|lineup|module|engine|network|protocol|marketplace|assistant|chatbot|wallet|drug|vaccine|vehicle|car|bike|drink|flavor|flavors|menu|membership|subscription|card|kit|camera|sensor|robot|drone|chip|laptop|phone|capabilities|capability|mainnet|testnet|program|programs|course|courses|fragrance|album',
  not_product:
    'website|websites|capital raise|initial public offering|ipo|public offering|private offering|offering|books|surveys|auction|funding|investment round|subsidiary|installment|video|node sale|nodes sales|summit|agenda|campaign|event|video|roadshow|book series|plans|sto|ico|node sale|warranty|fiesta|resource|drill|restructuring|partnership|collaboration|keynote|trailer|webinar|conference|podcast|report|survey|book|study|contest|competition|scholarship|tour|initiative|petition|lawsuit|investigation|career|promotion|giveaway|exhibition|season|novel|memoir|whitepaper|white paper|guide|sale|discount|results|statement|information|earnings|coverage|news|presale|token|coin|memecoin|airdrop|ambassador|foundation|award|awards|festival|anniversary|search|efforts|episode|series of',
  place:
    'office|offices|location|locations|store|stores|facility|facilities|plant|factory|headquarters|market|markets|region|country|countries|warehouse|center|centre|campus|showroom|branch|clinic|restaurant|studio|site|hub|laboratory|lab|territory|state|states|city|presence|footprint|operations|capacity|square foot|square feet|international|internationally|globally|overseas|nationwide|europe|asia|africa|america|middle east|latin america|canada|mexico|germany|france|uk|united kingdom|india|japan|china|australia|singapore|dubai|usa|u s|hotel|salon|school|dealership|division|subsidiary|midwest|footprint|outpost|premises|shop|venue|mine|terminal|data center|data centers|reach|branches|studios|plants|clinics|restaurants|factories|warehouses|shops|dealerships|schools|sites|campuses|showrooms|bakery|bar|mines|flights|destination|routes|apartments|hospital|resort|hubs',
  geo: GEO,
  not_place:
    'portfolio|services|service|capabilities|capability|role|focus|partnership|partnerships|collaboration|leadership|team|product|products|offerings|options|program|programs|suite|platform|board|brands|access|coverage|relationship|option|features|support|line|lineup|selection|inventory|pipeline|strategy',
  ipo_word: 'ipo|initial public offering|spac|acquisition corp',
  contract:
    'contract|contracts|order|orders|purchase order|agreement|deal|customer|customers|client|tender|bid|supply|supplier|vendor|task order|work order|statement of work|services agreement|customer of|clients|project|projects|mandate',
  technology:
    'platform|software|system|solution|solutions|technology|technologies|cloud|tool|app|erp|crm|ai|saas|service|services|suite|infrastructure|standard|products|equipment|network|engine|blockchain',
  exchange:
    'nasdaq|nyse|new york stock exchange|stock exchange|tsx|otcqb|otcqx|london stock exchange|aim|capital market|capital markets|lse|asx|hkex|euronext|ticker|symbol|american|listed|public',
  crypto:
    'token|tokens|presale|pre sale|memecoin|meme coin|airdrop|crypto|cryptocurrency|altcoin|staking|defi|coin|coins|nft|nfts|blockchain',
  breach_verb:
    'suffered|suffer|suffers|disclosed|discloses|confirmed|confirms|notified|notifying|notify|experienced|victim|victims|affected|impacted|exposed|compromised|stolen|investigating|discovered|detected|unauthorized|hit by|targeted|stole|accessed|attack|attacked|exploited|occurred|announced|reported|following|after',
  security_sale:
    'protect|protects|protecting|protection|prevent|prevents|preventing|solution|solutions|platform|against|defend|mitigate|safeguard|risk of|risks|threats|helps|help|insurance|compliance|rising|growing|average cost|defense|prevention|secure',
  lawsuit:
    'class action|lawsuit|law firm|investors who|shareholders who|alleges|alleged|allegedly|plaintiff|attorneys|complaint|lead plaintiff|lead the way|legal rights|investigates|investigation on behalf',
  lead_investor:
    'led|leads|co led|co leads|leading|participated|invested|invests|acted as|acts as|provides|provided|joined|backed|backs|advised|represented|participation|announces closing for|sole manager',
  said: 'said|says|commented|stated|added|adds|explained|noted|according',
  we: 'the company|we|our|it|its|the firm|the organization|the organisation|the group|the bank|the platform|the brand|the startup|the agency|the project|us|they|the business|the university|the school|the foundation|the retailer|the manufacturer|the provider|the developer|the studio|the corporation|the exchange|the hospital|the airline|the miner|the insurer|the association|the institute|the network|the team',
} as const satisfies Record<string, string>

export type CueName = keyof typeof CUES

/** The regular forms of an English verb. */
export function verbForms(verb: string): string[] {
  if (verb.endsWith('e')) return [verb, `${verb}s`, `${verb}d`, `${verb.slice(0, -1)}ing`]
  if (/(?:ch|sh|ss|x)$/.test(verb)) return [verb, `${verb}es`, `${verb}ed`, `${verb}ing`]
  if (/[^aeiou]y$/.test(verb)) return [verb, `${verb.slice(0, -1)}ies`, `${verb.slice(0, -1)}ied`, `${verb}ing`]
  return [verb, `${verb}s`, `${verb}ed`, `${verb}ing`]
}

/** "launch~ of|debut" as the phrases it stands for. */
export function expandPhrases(pattern: string): string[] {
  return pattern.split('|').flatMap((phrase) => {
    const mark = phrase.indexOf('~')
    if (mark < 0) return [phrase]
    const start = phrase.lastIndexOf(' ', mark) + 1
    return verbForms(phrase.slice(start, mark)).map((form) => phrase.slice(0, start) + form + phrase.slice(mark + 1))
  })
}
