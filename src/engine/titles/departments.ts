import { wordSet } from '../english/words.ts'

/** The closed set of departments. Other: the title names no department. */
export const DEPARTMENTS = [
  'Executive',
  'Sales',
  'Marketing',
  'Customer Success',
  'Product',
  'Design',
  'Engineering',
  'Data',
  'IT',
  'Security',
  'Finance',
  'Legal',
  'People',
  'Operations',
  'Supply Chain',
  'Research',
  'Healthcare',
  'Education',
  'Administration',
  'Other',
] as const
export type Department = (typeof DEPARTMENTS)[number]

/**
 * Phrases that name a department. `sure` beats `plain`, which beats `weak`; among equals the first in the title
 * wins ("Marketing and Sales Director" is Marketing). Weak words say how someone works, not in what: a sales
 * engineer sells, a product operations manager is in product.
 */
type Phrases = { sure?: string; plain?: string; weak?: string }

const VOCABULARY: Partial<Record<Department, Phrases>> = {
  Executive: {
    weak:
      'ceo|chief executive|founder|owner|president|chair|vice chair|managing director|managing partner|partner|' +
      'general partner|managing principal|board member|board|non executive director|independent director|' +
      'general manager|gm|chief of staff|proprietor|geschaftsfuhrer|geschaftsfuhrerin|vorstandsvorsitzender|vorstand|' +
      'pdg|directeur general|directrice generale|director general|gerente general|gerant|amministratore delegato|' +
      'algemeen directeur|verkstallande direktor|prokurist|founders',
    plain:
      'strategy|corporate strategy|corporate development|strategic planning|mergers and acquisitions|office ' +
      'of the ceo|equity partner|owner , operator|owner operator|assistant general manager',
  },
  Sales: {
    sure:
      'sales operations|sales engineer|sales engineering|sales enablement|revenue operations|revops|' +
      'account executive|business development|solutions consultant|solution consultant|solutions engineer|pre sales|' +
      'presales|channel sales|sales development|account manager|account director|key account|real estate agent|' +
      'insurance agent|chief commercial officer|chief revenue officer|strategic accounts|inside sales|' +
      'partner manager|go to market|sales marketing',
    plain:
      'sales|revenue|cro|cco|commercial|sdr|bdr|ae|partnerships|partnership|alliances|channel|channels|accounts|' +
      'vertrieb|vertriebsleiter|vertriebsleiterin|ventas|vendas|vendite|verkoop|verkoopleider|comercial|commerciale|' +
      'salesperson|seller|broker|pricing|relationship manager|enterprise|export|territory|forsaljning|vente|ventes|' +
      'gtm|realtor|estate agent',
  },
  Marketing: {
    sure:
      'product marketing|growth marketing|demand generation|demand gen|public relations|social media|' +
      'digital marketing|content marketing|corporate communications|marketing operations|marketing communications|' +
      'editor in chief|media relations|brand design|field marketing|chief growth officer|event marketing|' +
      'community manager|content strategist',
    plain:
      'marketing|marketer|cmo|brand|content|communications|communication|seo|sem|growth|copywriter|editor|journalist|' +
      'events|event|pr|press|media|advertising|campaign|community|writer|evangelist|producer|e commerce|ecommerce|' +
      'advocate|publicist|editorial|copy|reporter|kommunikation|comunicacion',
  },
  'Customer Success': {
    sure:
      'customer success|customer support|customer service|customer experience|customer care|' +
      'technical account manager|client services|client success|support engineer|technical support|call center|' +
      'contact center|chief customer officer|chief experience officer|client service|customer operations',
    plain: 'customer|client|support|onboarding|implementation|csm|kundenservice|guest',
  },
  Product: {
    sure: 'product manager|product management|product owner|product operations|chief product officer|product strategy',
    plain: 'product|cpo|products|produkt|cpto',
  },
  Design: {
    sure:
      'product design|product designer|art director|creative director|user experience|ux research|ux researcher|' +
      'ui ux|graphic designer|interior designer|chief creative officer|industrial design|user interface|user research',
    plain: 'design|designer|ux|ui|creative|art|illustrator|animator|creativo',
  },
  Engineering: {
    sure:
      'site reliability|software engineer|software engineering|software development|software developer|' +
      'qa engineering|qa engineer|full stack|test automation|technical program|platform engineering|' +
      'quality engineering|qa manager|release manager|solutions architect|solution architect|enterprise architect|' +
      'scrum master|agile coach|chief technology officer|chief technical officer|systems engineer|embedded systems|' +
      'software architect|technical lead|technical director|technology director|mobile engineer|process engineer|' +
      'application development|technical staff|web developer|hardware engineer',
    plain:
      'engineering|cto|devops|software|developer|frontend|backend|sre|programmer|platform|hardware|embedded|' +
      'technology|architecture|robotics|firmware|web|mobile|entwicklung|developpeur|desarrollador|fullstack|mlops',
    weak: 'engineer|engineers|architect|technical|infrastructure|entwickler|ingenieur|ingeniero|ingegnere',
  },
  Data: {
    sure:
      'data science|data scientist|data engineer|data engineering|data analyst|machine learning|' +
      'business intelligence|data analytics|artificial intelligence|data governance|data platform|chief data|' +
      'bi analyst|chief ai officer|data architect|deep learning',
    plain: 'data|analytics|ai|ml|bi|statistician|caio|cdao|statistics|insights',
  },
  IT: {
    sure:
      'information technology|information systems|it support|help desk|service desk|network engineer|' +
      'network operations|system administrator|systems administrator|database administrator|salesforce administrator|' +
      'erp consultant|chief information officer|chief digital officer|it project|network administrator|' +
      'infrastructure manager|digital transformation|enterprise applications|business systems|it operations|' +
      'information manager|it security administrator|cloud operations',
    plain:
      'it|cio|erp|sysadmin|network|systems|digital|helpdesk|desktop|mis|telecommunications|informatique|ict|' +
      'information management',
  },
  Security: {
    sure:
      'information security|cybersecurity|cyber security|security analyst|security engineer|security architect|' +
      'soc analyst|soc manager|penetration tester|application security|chief information security officer|' +
      'chief security officer|security operations|threat intelligence|cloud security|it security|product security',
    plain: 'security|ciso|soc|appsec|threat|privacy engineering',
  },
  Finance: {
    sure:
      'financial controller|investor relations|internal audit|wealth management|investment banking|investment banker|' +
      'credit risk|accounts payable|accounts receivable|revenue cycle|chief investment officer|' +
      'chief accounting officer|loan officer|commercial lending|financial planning|financial advisor|retail banking|' +
      'chief risk officer|chief financial officer|private equity|asset management|portfolio manager|' +
      'financial analyst|fund accounting|wealth advisor|vorstand finanzen|financial reporting|private banking',
    plain:
      'finance|cfo|financial|accounting|accountant|fpna|tax|treasury|treasurer|audit|auditor|controller|comptroller|' +
      'payroll|bookkeeper|credit|underwriter|underwriting|risk|lending|banking|investment|investments|investor|' +
      'trader|trading|actuary|actuarial|billing|cpa|finanzen|financeiro|finanzas|finanza|financier|capital|equity|' +
      'loan|mortgage|wealth|collections|pnl|buchhaltung|comptable|contador',
  },
  Legal: {
    sure:
      'general counsel|legal operations|legal counsel|regulatory affairs|compliance officer|chief legal officer|' +
      'corporate counsel|chief compliance officer|contract administrator|corporate secretary|company secretary|' +
      'legal assistant|intellectual property',
    plain:
      'legal|counsel|attorney|lawyer|paralegal|compliance|contracts|contract|regulatory|solicitor|barrister|' +
      'privacy|patent|clo|juridique|recht|notary|litigation|law',
  },
  People: {
    sure:
      'human resources|talent acquisition|people operations|people and culture|learning and development|' +
      'total rewards|recursos humanos|ressources humaines|employer branding|diversity and inclusion|' +
      'hr business partner|human resources business partner|chief people officer|chief happiness officer|' +
      'people partner|executive recruiter|organizational development|employee experience|human capital|' +
      'diversity equity',
    plain:
      'hr|hrbp|people|talent|recruiter|recruiting|recruitment|chro|training|culture|dei|diversity|compensation|' +
      'benefits|rewards|personal|personalleiter|workforce|rh|payroll and hr|organisation|employee',
  },
  Operations: {
    sure:
      'quality assurance|customer operations center|real estate|plant manager|plant director|restaurant general|' +
      'air traffic|flight attendant|business analyst|branch manager|clinical quality|workplace experience|' +
      'business operations|chief operating officer|chief operations officer|property manager',
    plain:
      'operations|coo|manufacturing|facilities|plant|production|maintenance|store|branch|construction|quality|ehs|' +
      'site|property|restaurant|chef|workplace|electrician|claims|operator|foreman|superintendent|retail|hospitality|' +
      'kitchen|produccion|produktion|safety|estimator|knowledge|fabrication|assembly|district|barista|service|' +
      'installation|hotel|transport operations',
    weak:
      'project|program|projet|proyecto|projekt|projektleiter|shift|scheduling|change|inspector|technician|' +
      'process|continuous improvement',
  },
  'Supply Chain': {
    sure:
      'supply chain|strategic sourcing|truck driver|category manager|demand planner|demand planning|' +
      'chief procurement officer|fleet manager|inventory control|warehouse associate',
    plain:
      'procurement|purchasing|logistics|warehouse|sourcing|buyer|merchandising|fulfillment|distribution|' +
      'transportation|inventory|einkauf|einkaufer|compras|achats|acquisti|inkoop|fleet|shipping|category|materials|' +
      'planner|driver|freight|dispatch|dispatcher',
  },
  Research: {
    sure:
      'clinical research|clinical development|clinical operations|research and development|research associate|' +
      'research scientist|lab technician|lab manager|chief scientific officer|chief science officer|chief scientist|' +
      'medical affairs|clinical trials|drug discovery|chief economist',
    plain:
      'research|rnd|scientist|laboratory|lab|biostatistics|postdoctoral|scientific|innovation|economist|' +
      'researcher|discovery|preclinical|biology|chemist',
  },
  Healthcare: {
    sure:
      'medical director|clinical director|chief medical officer|chief nursing officer|nurse practitioner|' +
      'medical assistant|physical therapist|case manager|practice manager|patient care',
    plain:
      'nurse|nursing|medical|clinical|physician|pharmacy|pharmacist|doctor|surgeon|dentist|dental|therapist|' +
      'veterinarian|rn|health|patient|cardiology|oncology|radiology|radiologist|surgery|caregiver|paramedic|' +
      'psychologist|hospital|lpn|np|md|optometrist',
  },
  Education: {
    sure:
      'teaching assistant|superintendent of schools|chief academic officer|head of school|school principal|' +
      'vice principal|athletic director|associate professor|assistant professor|student services',
    plain:
      'teacher|professor|lecturer|school|admissions|curriculum|dean|provost|chancellor|rector|enrollment|tutor|' +
      'academic|academics|instructor|faculty|student|students|headmaster|education|educator|principal of',
  },
  Administration: {
    sure:
      'executive assistant|administrative assistant|personal assistant|office manager|office coordinator|' +
      'office administrator|data entry|document controller|chief administrative officer|virtual assistant',
    plain: 'administrative|receptionist|secretary|administration|clerk|clerical|ea|pa',
    weak: 'administrator|assistant|office',
  },
  Other: {
    weak: 'vice president',
    sure:
      'security guard|police officer|chief of police|director of development|development director|social ' +
      'worker|sustainability officer',
    plain: 'fundraising|grants|sustainability|translator|photographer|police|philanthropy|volunteer|ministry|pastor',
  },
}

type Entry = { department: Department; strength: number }
const PHRASES = new Map<string, Entry>()
for (const [department, groups] of Object.entries(VOCABULARY) as [Department, Phrases][]) {
  for (const [strength, list] of [groups.weak, groups.plain, groups.sure].entries()) {
    for (const phrase of list?.split('|') ?? []) PHRASES.set(phrase, { department, strength })
  }
}
const LONGEST_PHRASE = 4
const WHOLE_COMPANY = wordSet('ceo founder owner chair officer cfo cto coo cmo cio executive')

/** `own` is the title without the superior; `whole` is the fallback, so that "Office of the CTO" has a department. */
export function departmentOf(own: readonly string[], whole: readonly string[]): Department {
  return bestPhrase(withoutEmployer(own)) ?? bestPhrase(whole) ?? 'Other'
}

/** Drops the employer, which follows "at", or "of" after a top position: "CEO of Harbour Analytics" is not in Data. */
function withoutEmployer(words: readonly string[]): readonly string[] {
  const cut = words.findIndex(
    (word, i) => i > 0 && (word === 'at' || (word === 'of' && WHOLE_COMPANY.has(words[i - 1] as string))),
  )
  return cut > 0 ? words.slice(0, cut) : words
}

function bestPhrase(words: readonly string[]): Department | null {
  let best: Entry | null = null
  for (let i = 0; i < words.length; i++) {
    let phrase = ''
    let longest: Entry | null = null
    for (let length = 0; length < LONGEST_PHRASE && i + length < words.length; length++) {
      phrase += length === 0 ? words[i] : ` ${words[i + length]}`
      longest = PHRASES.get(phrase) ?? longest
    }
    // The longest phrase hides shorter ones inside it: "general manager" is not a weak "manager".
    if (longest && (!best || longest.strength > best.strength)) best = longest
  }
  return best?.department ?? null
}
