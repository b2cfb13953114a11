// How the events of each signal are worded. Frames are tried in order, and the first that fits makes the claim; tails add
// to it what stands elsewhere in the sentence. See `Frame` in match.ts for the notation.
import type { DealRole, SignalId } from '../signals.ts'
import { type CompiledFrame, compileFrame, type Frame } from './match.ts'
import type { Subject } from './subject.ts'

const GROUPS = {
  acquire:
    'acquire|acquires|acquired|acquiring|buy|buys|bought|buying|purchase|purchases|purchased|purchasing|acquisition',
  acquired: 'acquired|bought|purchased',
  purchase: 'acquisition|purchase|takeover|buyout',
  stake: 'stake|interest|shareholding|holding',
  take: 'take|takes|took|taken|taking|acquire|acquires|acquired|acquiring|buy|buys|bought|purchases|purchased',
  sell: 'sell|sells|sold|selling|divests|divest|divested',
  merge: 'merge|merges|merged|merging|combine|combines',
  raise:
    'raise|raises|raised|raising|secure|secures|secured|securing|close|closes|closed|closing|land|lands|landed|bags|nabs|' +
    'receive|receives|received|obtains|obtained|attracts|attracted|completes|completed|announces|announced|nets|pulls',
  get: 'receive|receives|received|awarded|granted|secure|secures|secured|win|wins|won|gets|got|lands',
  appoint:
    'appoint|appoints|appointed|appointing|name|names|named|naming|hire|hires|hired|hiring|promote|promotes|promoted|tap|taps|' +
    'tapped|elect|elects|elected|elevates|elevated|welcome|welcomes|welcomed|recruits|recruited|selects|selected|adds|added',
  appointed: 'appointed|named|promoted|elected|elevated|hired|chosen|tapped',
  appointment: 'appointment|promotion|hiring|election|addition|hire',
  leave:
    'resign|resigns|resigned|resigning|leave|leaves|left|leaving|depart|departs|departed|departing|retire|retires|retired|' +
    'retiring|quits|exits',
  be: 'is|are|was|were|be|been|being|has|have|had|will|to|today|also',
  launch:
    'launch|launches|launched|launching|unveil|unveils|unveiled|unveiling|introduce|introduces|introduced|introducing|release|' +
    'releases|released|releasing|debuts|debuted|debut',
  open: 'open|opens|opened|opening|launch|launches|launched|inaugurates|inaugurated|establish|establishes|established',
  build: 'build|builds|building|constructs|construct',
  expand: 'expand|expands|expanded|expanding|expansion|enters|entered|entry',
  partner:
    'partner|partners|partnered|partnering|collaborate|collaborates|collaborated|collaborating|allies|allied|co-operates|' +
    'cooperates|cooperate|team|teams|teamed|teaming|join|joins|joined|joining|work|works|working',
  pact:
    'partnership|partnerships|collaboration|alliance|venture|mou|memorandum|understanding|agreement|deal|pact|cooperation|' +
    'co-operation|integration|letter|loi|contract',
  ally: 'announce|announces|announced|partner|team|join|sign|signed|form|formed|forge|forged|collaborate|enter|entered',
  sign:
    'sign|signs|signed|signing|announce|announces|announced|announcing|enter|enters|entered|entering|form|forms|formed|' +
    'forming|forge|forges|forged|ink|inks|inked|establish|establishes|established|expand|expands|expanded|extends|extended|renews|renewed|strikes|struck|' +
    'unveils|unveiled|reaches|reached|launches|launched',
  hire: 'hire|hires|hired|hiring|recruit|recruits|recruiting|seek|seeks|seeking|add|adds|adding|employ|onboard|onboarding',
  create: 'create|creates|created|creating|add|adds|adding|bring|brings|bringing|generate|generates',
  cut:
    'cut|cuts|cutting|eliminate|eliminates|eliminated|eliminating|shed|sheds|shedding|axe|axes|axing|slash|slashes|slashing|' +
    'reduces|reducing|lays|lay|laid|laying|fires|fired|firing|dismiss|dismisses|dismissed|terminates|terminated|terminating|' +
    'furloughs|furloughed|scraps',
  shut: 'close|closes|closed|closing|shut|shuts|shutting|shutters|shuttering',
  list: 'list|lists|listed|listing|debut|debuts|debuted|ipo|uplists|uplist|uplisting',
  select:
    'select|selects|selected|selecting|choose|chooses|chose|chosen|choosing|pick|picks|picked|taps|tapped|adopt|adopts|' +
    'adopted|engages|engaged',
  win:
    'win|wins|won|winning|secure|secures|secured|securing|receive|receives|received|land|lands|landed|awarded|gets|inks|' +
    'signs|signed|announces|announced',
  adopt:
    'adopt|adopts|adopted|adopting|deploy|deploys|deployed|deploying|implement|implements|implemented|implementing',
  migrate:
    'migrate|migrates|migrated|migrating|moves|moved|moving|switches|switched|switching|transitions|transitioned|upgrades|' +
    'upgraded',
} as const

type Row = [subject: Subject, words: string, says?: string]

/** The words of one signal, or of one side of a deal. */
export type Wording = { frames: readonly CompiledFrame[]; tails: readonly CompiledFrame[] }

function wording(frames: readonly Row[], tails: readonly Row[] = []): Wording {
  const compile = ([subject, words, says]: Row): CompiledFrame => {
    const frame: Frame = says === undefined ? { subject, words } : { subject, words, says }
    return compileFrame(frame, GROUPS)
  }
  return { frames: frames.map(compile), tails: tails.map(compile) }
}

const PRICE: readonly Row[] = [
  ['anyone', 'for|worth {sum}', ' for {sum}'],
  ['anyone', 'valued at {sum}', ' for {sum}'],
]

const ACQUISITION: Readonly<Record<DealRole, Wording>> = {
  acquirer: wording(
    [
      ['company', '<take> … <stake> in {org}', 'take~ a stake in {org}'],
      ['company', '<acquire> of? {org}', 'acquire~ {org}'],
      ['anyone', '{actor} <be>? <be>? <acquired> by {self}', 'acquire~ {actor}'],
    ],
    PRICE,
  ),
  acquired: wording(
    [
      ['company', '<acquired> by {actor}', 'be~ acquired by {actor}'],
      ['company', 'sold to {actor}', 'be~ acquired by {actor}'],
      ['anyone', '<purchase> of {self} by {actor}', 'be~ acquired by {actor}'],
      ['other', '<acquire> of? {self}', 'be~ acquired by {actor}'],
    ],
    PRICE,
  ),
  seller: wording([['company', '<sell> … to {actor}', 'sell~ a business to {actor}']], PRICE),
  merging: wording([
    ['anyone', '{self} and {actor} announced? plan|plans|agreed|agree to? <merge>', 'be~ to merge with {actor}'],
    ['company', '<merge> with {actor}', 'merge~ with {actor}'],
    ['company', 'merger with {actor}', 'merge~ with {actor}'],
    ['other', '<merge> with {self}', 'merge~ with {actor}'],
    ['other', 'merger with {self}', 'merge~ with {actor}'],
  ]),
}

const WORDINGS: Readonly<Record<Exclude<SignalId, 'acquisition'>, Wording>> = {
  funding: wording(
    [
      ['company', '<get> a|an? {sum} … grant', 'receive~ a grant of {sum}'],
      ['company', '<get> … grant of {sum}', 'receive~ a grant of {sum}'],
      ['company', '<raise> {sum} in|of? debt|loan', 'secure~ {sum} in debt financing'],
      ['company', '<raise> a|an|its|the? {sum} … loan|facility|notes|note|debenture', 'secure~ {sum}'],
      ['company', '<raise> of? a|an|its|the? new|upsized|oversubscribed? {sum}', 'raise~ {sum}'],
      ['company', '<raise> … round|financing|funding|investment|placement of {sum}', 'raise~ {sum}'],
      ['company', 'prices|priced|pricing of? a|an|its|the? upsized? {sum} … offering', 'price~ an offering of {sum}'],
      ['anyone', 'grant of {sum} … to {self}', 'receive~ a grant of {sum}'],
      ['other', 'invests|invested {sum} in {self}', 'raise~ {sum} from {actor}'],
      ['anyone', '{sum} in? {round}', 'raise~ {sum}'],
    ],
    [
      ['anyone', '{round}', ' in {round}'],
      ['anyone', 'led|co-led by {org}', ' led by {org}'],
      ['anyone', '{sum} … from {org}', ' from {org}'],
      ['anyone', 'grant … from {org}', ' from {org}'],
      ['anyone', 'participation from|by {org}'],
    ],
  ),
  leadership_change: wording([
    ['company', '<appoint> {person} , as|to? the? {position} {over}', 'name~ {person} {position}'],
    ['company', 'announces|announced {person} as {position} {over}', 'name~ {person} {position}'],
    ['company', '<appoint> … {person} , as|to {position} {over}', 'name~ {person} {position}'],
    ['company', '<appoint> … {person} , to|as|joins {board}', 'name~ {person} to {board}'],
    ['company', '<appointment> of {person} , as|to {position} {over}', 'name~ {person} {position}'],
    ['company', '<appointment> of {person} , … , as {position} {over}', 'name~ {person} {position}'],
    ['company', '<appointment> of … {person} , to {board}', 'name~ {person} to {board}'],
    ['anyone', '{ours} {position} , {person} , <be>? <be>? <leave>', 'lose~ its {position} {person}'],
    [
      'anyone',
      '{ours} {position} , {person} , <be>? <be>? steps|step|stepping|stepped down',
      'lose~ its {position} {person}',
    ],
    [
      'anyone',
      "{person} <be>? <be>? steps|step|stepping|stepped down as {self's}? {position} {over}",
      'lose~ its {position} {person}',
    ],
    ['anyone', "{person} <be>? <be>? <leave> as {self's}? {position} {over}", 'lose~ its {position} {person}'],
    ['anyone', "{person} <be>? <be>? <appointed> as|to? {self's}? {position} {over}", 'name~ {person} {position}'],
    [
      'anyone',
      "{person} , … , <be>? <be>? <appointed> as|to? {self's}? {position} {over}",
      'name~ {person} {position}',
    ],
    ['anyone', '{person} joins|joined|joining|join {self} as {position} {over}', 'name~ {person} {position}'],
    ['anyone', '{person} succeeds|replaces … as {position} {over}', 'name~ {person} {position}'],
    ['company', '<appoint> a? new|interim {position} {over}', 'name~ a new {position}'],
    ['company', '<appoint> {person}', 'appoint~ {person}'],
    ['company', '<appointment> of {person}', 'appoint~ {person}'],
  ]),
  hiring: wording(
    [
      ['anyone', '<hire> {workers}', 'be~ hiring {workers}'],
      ['anyone', '<hire> … {jobs}', 'create~ {jobs}'],
      ['anyone', '<create> {jobs}', 'create~ {jobs}'],
      ['company', 'has|have|lists {jobs}', 'have~ {jobs}'],
      ['anyone', 'addition of {workers}', 'be~ hiring {workers}'],
    ],
    [['anyone', 'in {known}', ' in {known}']],
  ),
  product_launch: wording([
    ['company', '<launch> of? {product}', 'launch~ {product}'],
    ['company', '<launch> of? {kind}', 'launch~ {kind}'],
  ]),
  expansion: wording([
    ['company', '<open> of? {site} in {place}', 'open~ {site} in {place}'],
    ['company', 'breaks|broke|breaking ground on|for {site} in {place}', 'build~ {site} in {place}'],
    ['company', '<build> {site} in {place}', 'build~ {site} in {place}'],
    ['company', '<expand> … into {known}', 'expand~ into {known}'],
    ['company', '<expand> … to {known}', 'expand~ to {known}'],
    ['company', '<expand> … in {known}', 'expand~ in {known}'],
    ['company', '<open> of? {site}', 'open~ {site}'],
    ['company', 'open|opens|opened in {place}', 'open~ in {place}'],
  ]),
  partnership: wording([
    ['company', '<partner> up|forces? with {org}', 'partner~ with {org}'],
    ['company', '<sign> … <pact> with {org}', 'partner~ with {org}'],
    ['company', '<pact> with {org}', 'partner~ with {org}'],
    ['anyone', 'between {self} and|& {org}', 'partner~ with {org}'],
    ['anyone', 'between {actor} and|& {self}', 'partner~ with {actor}'],
    ['anyone', '{self} , and|&? {org} <be>? <be>? <ally>', 'partner~ with {org}'],
    ['anyone', '{actor} , and|&? {self} <be>? <be>? <ally>', 'partner~ with {actor}'],
    ['other', '<partner> up|forces? with {self}', 'partner~ with {actor}'],
    ['other', '<sign> … <pact> with {self}', 'partner~ with {actor}'],
    ['other', '<pact> with {self}', 'partner~ with {actor}'],
  ]),
  layoffs: wording([
    ['anyone', '<cut> off? {share}', 'cut~ {share}'],
    ['anyone', '<cut> off? {heads}', 'cut~ {heads} jobs'],
    ['anyone', '{heads} <be>? <be>? lose|losing|lost', 'cut~ {heads} jobs'],
    ['anyone', '{heads} <be>? <be>? <be>? <cut>', 'cut~ {heads} jobs'],
    ['company', '<shut> down? {site} in {place}', 'close~ {site} in {place}'],
  ]),
  ipo: wording([
    ['company', 'files|filed|filing … <list> … on {exchange}', 'file~ to list on {exchange}'],
    ['company', 'files|filed|filing … for … ipo|offering|listing', 'file~ for an IPO'],
    ['company', 'prices|priced|pricing … ipo|offering', 'price~ its IPO'],
    ['company', 'goes|went|going public on {exchange}', 'list~ on {exchange}'],
    [
      'anyone',
      'expected|will|to|anticipated to? begin|start|commence trading … on {exchange}',
      'be~ to list on {exchange}',
    ],
    ['anyone', 'begins|began|begin|begun|start|starts|started trading … on {exchange}', 'list~ on {exchange}'],
    ['company', '<list> … on {exchange}', 'list~ on {exchange}'],
  ]),
  customer_win: wording([
    ['company', '<win> … contract|contracts … from|with|by {org}', 'win~ a contract from {org}'],
    ['company', '<win> … order|orders … from|with|by {org}', 'win~ an order from {org}'],
    ['company', '<be>? <select> by {org}', 'win~ {org} as a customer'],
    ['other', 'awards|awarded|award {self} … contract', 'win~ a contract from {actor}'],
    ['other', 'awards|awarded|award {self} … order', 'win~ an order from {actor}'],
    ['other', "<select> {self's}", 'win~ {actor} as a customer'],
    ['company', '<win> … contract', 'win~ a contract'],
    ['company', '<win> … order', 'win~ an order'],
  ]),
  technology_adoption: wording([
    ['company', '<adopt> {org}', 'adopt~ {org}'],
    ['company', '<select> {org}', 'choose~ {org}'],
    ['company', 'use|uses {org}', 'use~ {org}'],
    ['company', '<migrate> … to {org}', 'adopt~ {org}'],
    ['company', 'goes|went|go|going live on|with {org}', 'adopt~ {org}'],
    ['anyone', '{actor} <be>? <be>? <select> by {self}', 'choose~ {actor}'],
  ]),
  security_incident: wording([
    ['anyone', 'ransomware', 'was hit by ransomware'],
    ['anyone', 'data breach|breaches', 'had a data breach'],
    ['anyone', 'cyberattack|cyber-attack|cyberattacks', 'was hit by a cyberattack'],
    ['anyone', 'cyber attack|attacks', 'was hit by a cyberattack'],
    ['anyone', 'ddos', 'was hit by a DDoS attack'],
    ['anyone', 'data leak|leaks', 'had a data leak'],
    ['company', 'hacked', 'was hacked'],
  ]),
}

/** The wordings to try for a signal; every side of a deal when it is not known. */
export function wordingsOf(signal: SignalId, role: DealRole | undefined): readonly Wording[] {
  if (signal !== 'acquisition') return [WORDINGS[signal]]
  return role
    ? [ACQUISITION[role]]
    : [ACQUISITION.acquirer, ACQUISITION.acquired, ACQUISITION.merging, ACQUISITION.seller]
}

/** People with their positions, in any sentence. */
export const PEOPLE: readonly CompiledFrame[] = wording([
  ['anyone', '{position} , {person}'],
  ['anyone', '{person} , {position} {over}'],
  ['anyone', '{person} as|to {position} {over}'],
]).frames
