// Words by their effect on a name: they end it, describe it, or prove that it is not a name.

import { wordSet as words } from '../english/words.ts'

/**
 * Articles, prepositions, conjunctions, auxiliaries and adverbs: never part of a name, except for those that join one.
 */
export const FUNCTION_WORDS = words(
  'a an the of in on at by to for from with without within into onto over under about above across after against along ' +
    'alongside amid among around as before behind below beneath beside between beyond during except following inside ' +
    'including like near off out outside per since than through throughout toward towards until up upon via ' +
    '& and or but nor so yet if because while when where whereas which who whom whose that this these those what how why ' +
    'is are was were be been being am has have had having do does did will would shall should can could may might must ' +
    'not no never it its he him his she her hers they them their theirs we us our ours you your i me my ' +
    'today yesterday tomorrow tonight also now then thus however recently previously formerly currently already still ' +
    'just only even soon later earlier again once both either neither each every all any some more most less least ' +
    'globally nationally internationally locally nationwide worldwide officially newly fully highly jointly successfully ' +
    'other another such same own too very there here together further next last effective',
)

/** Verbs, mostly in the forms that headlines use: they end the name before them. */
export const VERBS = words(
  'accelerate accelerates accelerating accept accepts achieve achieves acquire acquired acquires acquiring add added ' +
    'adding adds address addresses adopt adopts adopted advance advances advancing aim aims allow allows amplify amplifies ' +
    'announce announced announces announcing appoint appointed appoints attract award awarded awards back backed backs ' +
    'become becomes becoming begin begins bolster bolsters boost boosts boosting bring bringing brings brought build ' +
    'builds building buy buying buys bought celebrate celebrates choose chooses chose chosen close closed closes ' +
    'collaborate collaborates combine combines combining complete completed completes confirm confirms confirmed ' +
    'continue continues create creates creating cut cuts debut debuts define deliver delivering delivers deploy deploys ' +
    'deployed develop develops developing drive drives driving earn earns elevate elevates elevated empower empowering ' +
    'empowers enable enables enabling enhance enhances enhancing enter entered enters establish establishes ' +
    'expand expanded expanding expands explore explores extend extends extending file filed files focus fuel fueling ' +
    'fuels gain gains get gets give gives giving goes grow growing grows had help helping helps hire hires hit hits ' +
    'implement implements improve improves improving increase increases increasing inks integrate integrates ' +
    'introduce introduced introduces introducing invest invests join joined joining joins keep keeps land lands ' +
    'launch launched launches launching lead leading leads leave leaves led leverage list lists made make makes making ' +
    'marks meet meets merge merges merged modernize modernise move moves moved named names offer offering offers open ' +
    'opened opening opens optimize partner partnered partnering forge forges forged pave power powering powers powered prepare prepares prices ' +
    'promote promoted promotes propel purchase purchased purchases purchasing protect protects provide provides providing raise raised raises raising reach ' +
    'reaches receive received receives redefine redefines reduce reduces reinforce reinforces release released releases ' +
    'replace replaces report reported reports represent represents resign resigns reshape retire retires reveal reveals ' +
    'revolutionize rolls run runs said save saves saw say saying says scale secure secured secures securing select ' +
    'selected selects sell sells serve serves set sets shape show shows sign signed signing signs simplify sold solve ' +
    'spark speed spur start started starts step steps streamline streamlines strengthen strengthening strengthens ' +
    'succeed succeeds suffer suffers suffered support supporting supports take takes tap taps target targets team teams ' +
    'allocates allocate form forms formed looks look sync integrate positions teamed tell tells tackle transform transforming transforms turn turns unite unites unlock unlocks unveil unveiled ' +
    'unveils upgrade use used uses using welcome welcomes welcomed will win wins won work working works',
)

/** Words in -ing that may be part of a name; any other ends a name in a headline. */
export const NAMES_IN_ING = words(
  'boeing beijing holding engineering manufacturing trading consulting marketing banking mining gaming racing clothing ' +
    'learning printing shipping brewing publishing packaging staffing financing bing spring king sterling ring wing ' +
    'living lightning catering processing testing housing advertising lending computing broadcasting drilling farming ' +
    'trucking coworking gardening building nursing fishing refining recycling plumbing roofing wyoming ming ling ding ping qing jing xing chongqing nanjing reading',
)

/** Common words: a sequence of only these is not a name. */
export const COMMON_WORDS = words(
  'new newest latest next first second third fourth fifth top leading major key global national international local ' +
    'regional premier premium innovative strategic exclusive advanced modern largest biggest best fast faster record ' +
    'multiple several two three four five six seven eight nine ten dozens hundreds thousands many various additional ' +
    'former independent private public digital smart virtual mobile online wireless autonomous artificial intelligence ' +
    'ai ai-powered ai-driven ai-native cloud cloud-based data software hardware technology technologies tech platform ' +
    'platforms solution solutions service services product products app apps application applications tool tools ' +
    'system systems suite program programs programme project projects initiative initiatives model models feature ' +
    'features version line lineup collection series edition range portfolio offering offerings experience experiences ' +
    'company companies firm firms business businesses startup startups group groups provider providers maker makers ' +
    'manufacturer manufacturers developer developers supplier suppliers vendor vendors retailer retailers brand brands ' +
    'partner partners partnership partnerships customer customers client clients investor investors bank banks ' +
    'organization organizations organisation organisations institution institutions agency agencies university ' +
    'universities hospital hospitals school schools government governments authority authorities expert experts leader ' +
    'leaders team teams member members people community communities families patients users consumers players athletes ' +
    'asset assets stake stakes interest interests rights shares stock equity majority minority remaining portion unit ' +
    'units division property properties land site sites building buildings location locations office offices plant ' +
    'plants facility facilities factory store stores shop warehouse headquarters center centers centre centres hub ' +
    'market markets region regions country countries state states city cities county world industry industries sector ' +
    'deal deals agreement agreements contract contracts order orders transaction merger acquisition acquisitions ' +
    'capital funding fund funds investment investments round financing loan debt grant ipo offering ceo cfo cto coo cio ' +
    'cmo executive executives officer officers director directors president vice chief board leadership management ' +
    'growth expansion innovation security privacy risk compliance quality safety health care healthcare medical energy ' +
    'power solar water food media news sports music art education training research development design marketing sales ' +
    'finance financial insurance payment payments banking crypto blockchain web3 bitcoin token tokens nft nfts defi it ' +
    'us eu uk usa api loi mou b2b saas vr ar ev evs iot ml llm gpu hr pr rfp spac series seed free full complete ' +
    'comprehensive end-to-end real-time next-generation next-gen state-of-the-art world-class high-performance ' +
    'low-cost eco-friendly sustainable green clean open big great good better high low small large long short ' +
    'award-winning cutting-edge groundbreaking revolutionary industry-leading industry industry-first us-based ' +
    'patients physicians doctors students teachers creators artists brands fans employees workers jobs staff ' +
    'official premier proprietary selected certain select joint venture memorandum understanding letter intent ' +
    'strategy strategies vision mission support access network networks infrastructure operations capacity capabilities ' +
    'website video campaign event events conference summit season year years day days week month time q1 q2 q3 q4 ' +
    'american british canadian german french italian spanish dutch swedish danish norwegian finnish polish swiss austrian ' +
    'belgian irish scottish australian indian chinese japanese korean israeli brazilian mexican european asian african ' +
    'nordic utility utilities operator operators airline airlines hotel hotels restaurant restaurants mining trucking ' +
    'library therapy book books report reports guide study course courses podcast album song film movie show tour contest ' +
    'challenge scholarship award awards survey index subsidiary presale mainnet testnet airdrop menu flavor flavors drug ' +
    'trial trials content curated connected automated bundle package packages pilot pilots test website websites store ' +
    'thousand million billion trillion institutional accredited angel existing shared updated enhanced plan plans savings ' +
    'fiscal quarter half annual january february march april may june july august september october november december ' +
    'monday tuesday wednesday thursday friday saturday sunday',
)

/** Words that open a description, and therefore no name, in a headline. */
export const DESCRIPTIONS = words(
  'new newest latest limited first second third leading major key top premier innovative strategic exclusive advanced largest ' +
    'multiple several two three four five six seven eight nine ten additional former remaining majority minority record ' +
    'certain select selected various many hundreds thousands dozens revolutionary groundbreaking proprietary ' +
    'ai-powered ai-driven ai-based cutting-edge next-gen next-generation award-winning world-class industry-leading ' +
    'full-service all-new first-ever first-of-its-kind limited-edition state-of-the-art privately fellow long-time ' +
    'acclaimed updated enhanced improved expanded shared easy-to-use longtime institutional accredited angel existing venture strategic local global international national regional renowned prominent upcoming other more its their his her our',
)

/** Kinds of organisations that precede a name: "the cloud provider Globex". */
export const ORGANISATION_NOUNS = words(
  'startup start-up scaleup scale-up company firm agency consultancy studio chain retailer manufacturer maker developer ' +
    'provider specialist leader player giant insurer lender utility carrier airline university nonprofit non-profit ' +
    'customer client partner investor distributor reseller integrator publisher producer broker brokerage rival ' +
    'competitor peer operator supplier vendor brand platform innovator builder pioneer fintech biotech contractor ' +
    'shop store practice network dealer marketplace nonprofit hospital school charity app exchange protocol subsidiary affiliate division automaker carmaker drugmaker chipmaker miner bank designer organization organisation charity foundation group',
)

/** After these a name continues over "of": the City of Lyon, the Bank of Ireland. */
export const INSTITUTIONS = words(
  'city university bank ministry department institute government kingdom port state board chamber college school county ' +
    'town province museum office bureau council academy republic federation association society district division ' +
    'district commission diocese municipality village house order union league game center centre house hospital',
)

/** Directly before a mention they make it an object: "with Acme", "by Acme". */
export const PREPOSITIONS = words(
  'of by with at for from in to via through on into between under like including than within across against alongside',
)

export const SITES: ReadonlyMap<string, string> = new Map(
  (
    'office plant factory store shop warehouse headquarters hub campus showroom branch clinic restaurant studio facility ' +
    'laboratory lab hotel salon school dealership location mine terminal bakery bar hospital resort center centre ' +
    'café cafe gym spa subsidiary outpost'
  )
    .split(' ')
    .flatMap((noun): [string, string][] => [
      [noun, noun],
      [`${noun.replace(/y$/, 'ie').replace(/(ch)$/, '$1e')}s`, `${noun.replace(/y$/, 'ie').replace(/(ch)$/, '$1e')}s`],
    ]),
)

export const PRODUCTS = words(
  'platform app application service solution software tool suite api device system engine portal dashboard plugin sdk ' +
    'game marketplace assistant chatbot wallet vaccine vehicle car bike drink camera sensor robot drone chip laptop phone ' +
    'website store program programme module model collection menu card kit smartphone smartwatch',
)

/** Words of job titles, in addition to `titles/job-nouns.ts`. */
export const TITLE_WORDS = words(
  'chief vice senior executive managing general deputy assistant associate global regional national group interim acting ' +
    'co-ceo co-founder co-president co-chair financial operating technology technical information security marketing ' +
    'revenue commercial growth product people human resources legal medical scientific science clinical data digital ai ' +
    'strategy strategic business development sales operations finance engineering communications customer success client ' +
    'experience brand creative design accounting compliance risk investment investments administrative innovation ' +
    'research corporate affairs public relations supply chain manufacturing partnerships partner board advisor ' +
    'non-executive independent chairman chairwoman chairperson chair advisory and of & for emea apac americas europe asia ' +
    'north america talent culture diversity sustainability quality content media programs regulatory government nursing ' +
    'consulting fractional counsel alliances channel enterprise cloud software platform it cybersecurity treasury tax audit investor',
)
