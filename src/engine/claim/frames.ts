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
  appointment: 'appointment|appointments|promotion|hiring|election|addition|hire',
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
  buys: 'acquires|acquired|acquiring|buys|bought|buying|purchases|purchased|purchasing|snapped|snaps|takes|took',
  snaps: 'snaps|snapped|gobbles|gobbled|scoops|scooped|swallows|swallowed|buys|bought',
  sells: 'sells|sold|selling|divests|divested|divesting|offloads|offloaded|disposes',
  loses:
    'lose|loses|losing|lost|redundant|redundancies|go|gone|axed|eliminated|laid|dismissed|fired|cut|affected|layoffs|let',
  launches:
    'launches|launched|launching|unveils|unveiled|unveiling|introduces|introduced|introducing|releases|released|releasing|' +
    'debuts|debuted|debuting|ships|presents|presented|reveals|revealed|unleashes|unleashing',
  launching: 'launch|introduction|release|debut|unveiling|rollout|availability',
  bring: 'launch|introduce|release|unveil|debut|offer|present|reveal',
  opens:
    'opens|opened|opening|inaugurates|inaugurated|establishes|established|establishing|reopens|reopened|builds|building|built|' +
    'adds|added|adding',
  starts: 'open|build|establish|add|construct|reopen|inaugurate',
  leases: 'leases|leased|leasing|rents|rented',
  grows: 'expands|expanded|expanding|extends|extended|doubles|doubled|grows|strengthens|strengthened|broadens|enlarges',
  enters: 'enters|entered|entering|enter|entry into|entry',
  takeOn:
    'recruit|recruits|recruiting|hire|hires|hiring|seek|seeks|seeking|needs|need|advertising|advertises|want|wants|train|training',
  want: 'looking|looks|look|searching|search',
  uses:
    'adopts|adopted|adopting|deploys|deployed|deploying|implements|implemented|implementing|installs|installed|installing|' +
    'selects|selected|selecting|chooses|chose|chosen|choosing|picks|picked|introduces|introduced|integrates|integrated',
  gives: 'gives|gave|given|hands|handed|awards|awarded|grants|granted',
  secures:
    'secures|secured|securing|closes|closed|closing|raises|raised|receives|received|obtains|obtained|completes|completed|' +
    'lands|landed|bags|nabs|wins|won|gets|got|agreed|signs|signed',
  taken: 'stolen|exposed|leaked|taken|accessed|compromised|breached|copied|published|affected|hit|lost|viewed|read',
  stole: 'stole|steal|steals|leaks|leaked|leak|exposed|exposes|spills|spilled|copied|took|grabbed',
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
      ['company', '<snaps> up|out? {org}', 'acquire~ {org}'],
      ['company', 'takes|took|taken|taking over {org}', 'acquire~ {org}'],
      ['company', 'takes|took|taken|acquires|acquired|buys|bought {percentage} of {org}', 'take~ a stake in {org}'],
      ['company', 'pays|paid|paying|pay {sum} for {org}', 'acquire~ {org} for {sum}'],
      ['company', '<sign> … to acquire|buy|purchase {org}', 'agrees to acquire {org}'],
      ['involved', 'with|through … acquisition of {org}', 'acquire~ {org}'],
      ['company', '<buys> {property}', 'acquire~ {property}'],
      ['company', '<purchase> of {property}', 'acquire~ {property}'],
      ['company', 'acquire|buy|purchase {infinitive} {property}', 'acquire~ {property}'],
      ['involved', 'with|of|through|by acquisition|acquiring of? {org}', 'acquire~ {org}'],
    ],
    PRICE,
  ),
  acquired: wording(
    [
      ['company', '<acquired> by {actor}', 'be~ acquired by {actor}'],
      ['company', 'sold to {actor}', 'be~ acquired by {actor}'],
      ['anyone', '<purchase> of {self} by {actor}', 'be~ acquired by {actor}'],
      ['other', '<acquire> of? {self}', 'be~ acquired by {actor}'],
      ['other', '<snaps> up|out? {self}', 'be~ acquired by {actor}'],
      ['other', 'takes|took|taken|taking over {self}', 'be~ acquired by {actor}'],
      ['other', 'pays|paid|paying|pay {sum} for {self}', 'be~ acquired by {actor} for {sum}'],
      ['company', 'became|becomes|become part of {actor}', 'be~ acquired by {actor}'],
      ['company', 'goes|went to {actor}', 'be~ acquired by {actor}'],
      ['other', '<sign> … to acquire|buy|purchase {self}', 'is to be acquired by {actor}'],
      ['other', '<take> … <stake> in {self}', 'sell~ a stake to {actor}'],
      ['other', 'with|through … acquisition of {self}', 'be~ acquired by {actor}'],
    ],
    PRICE,
  ),
  seller: wording(
    [
      ['company', '<sells> {property} to {actor}', 'sell~ {property} to {actor}'],
      ['company', '<sell> … to {actor}', 'sell~ a business to {actor}'],
      ['other', '<buys> {property} from {self}', 'sell~ {property} to {actor}'],
      ['other', '<acquire> … from {self}', 'sell~ a business to {actor}'],
      ['company', '<sells> {property}', 'sell~ {property}'],
      ['company', 'sale of {property}', 'sell~ {property}'],
    ],
    PRICE,
  ),
  merging: wording([
    ['anyone', '{self} and {actor} announced? plan|plans|agreed|agree to? <merge>', 'be~ to merge with {actor}'],
    ['company', '<merge> with {actor}', 'merge~ with {actor}'],
    ['company', 'merger with {actor}', 'merge~ with {actor}'],
    ['other', '<merge> with {self}', 'merge~ with {actor}'],
    ['other', 'merger with {self}', 'merge~ with {actor}'],
    ['anyone', 'merger of|between {self} and {actor}', 'merge~ with {actor}'],
    ['anyone', 'merger of|between {actor} and {self}', 'merge~ with {actor}'],
    ['anyone', '{self} , and {actor} … merger|merge|merged|combination', 'merge~ with {actor}'],
    ['anyone', '{free} {actor} , and {self} … merger|merge|merged|combination', 'merge~ with {actor}'],
    ['company', 'combination|combines|combine agreement? with {actor}', 'merge~ with {actor}'],
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
      ['company', 'borrows|borrowed|borrow {sum}', 'borrow~ {sum}'],
      ['anyone', 'raise|raises|raised|brings|brought in? {sum} for {self}', 'raise~ {sum}'],
      ['company', '<secures> … {sum}', 'raise~ {sum}'],
      ['company', 'takes|took|enters|pockets|scores|totaling|totalling|draws … {sum}', 'raise~ {sum}'],
      ['anyone', 'round|financing|placement of {sum}', 'raise~ {sum}'],
      ['involved', '{sum} … round|financing|funding|placement|investment', 'raise~ {sum}'],
      ['anyone', 'brought|brings in {sum}', 'raise~ {sum}'],
      ['anyone', 'proceeds of {onlysum}', 'raise~ {onlysum}'],
      ['involved', '{sum} gift|donation', 'receive~ {sum}'],
      ['other', '<take> … <stake> in {self}', 'sell~ a stake to {actor}'],
      [
        'involved',
        '{onlysum} … round|financing|funding|placement|offering|investment|loan|grant|presale|facility|raise',
        'secure~ {onlysum}',
      ],
      [
        'involved',
        'round|financing|funding|placement|placements|offering|investment|loan|grant|presale|facility … {onlysum}',
        'secure~ {onlysum}',
      ],
      [
        'other',
        'grants|granted|awards|awarded|gives|gave|commits|committed {sum} … to {self}',
        'receive~ {sum} from {actor}',
      ],
      ['other', 'invests|invested {sum}? in {self}', 'raise~ capital from {actor}'],
      ['other', 'led|leads|co-led the|its|a round', 'raise~ capital from {actor}'],
      ['involved', 'funding|investment|grant|loan|financing from {org}', 'raise~ capital from {org}'],
      ['company', '<secures> {financing}', 'secure~ {financing}'],
      ['company', 'secure|close|raise {infinitive} {financing}', 'secure~ {financing}'],
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
    ['anyone', "{person} joins|joined|joining|join {self's}? {board}", 'name~ {person} to {board}'],
    ['anyone', '<appoint> {person} , to|as {board}', 'name~ {person} to {board}'],
    ['anyone', "{person} <be>? <be>? <appointed> to {self's}? {board}", 'name~ {person} to {board}'],
    ['anyone', '{person} , … , <be>? joined|joins|join as {position} {over}', 'name~ {person} {position}'],
    ['anyone', '{person} to join as {position} {over}', 'name~ {person} {position}'],
    [
      'anyone',
      '{ours} {person} , {position} , <be>? <be>? steps|step|stepping|stepped down',
      'lose~ its {position} {person}',
    ],
    ['anyone', "{person} , … , joins|joined|joining|join {self's}? {board}", 'name~ {person} to {board}'],
    ['anyone', '<appointment> of {person} , to {board}', 'name~ {person} to {board}'],
    ['anyone', '<appointment> of {person} , as|to {position} {over}', 'name~ {person} {position}'],
    ['anyone', '<appoint> {person} , as|to the? {position} {over}', 'name~ {person} {position}'],
    [
      'anyone',
      '{person} <be>? joined|joins|join the|our|its? company|bank|firm|team|group as {position} {over}',
      'name~ {person} {position}',
    ],
    ['anyone', '{ours} {person} , {position} … , <be>? <be>? <leave>', 'lose~ its {position} {person}'],
    ['company', '<appointment> of a|its|the? new {position} {over}', 'name~ a new {position}'],
    ['company', 'adds|names|appoints|hires|named|appointed|hired {position} {over}', 'name~ a new {position}'],
    ['involved', '<appointment> of {person}', 'appoint~ {person}'],
    ['company', 'retains|retained|brings|brought {person}', 'appoint~ {person}'],
    ['anyone', '{person} becomes|become|as {position} {over}', 'name~ {person} {position}'],
    ['anyone', '{person} takes|took|take over as {position} {over}', 'name~ {person} {position}'],
    ['anyone', '{person} , joins|joined|join … as {position} {over}', 'name~ {person} {position}'],
    ['anyone', '{person} , assumes|assumed|assume the|its? role of {position} {over}', 'name~ {person} {position}'],
    ['company', 'made|makes {person} {position} {over}', 'name~ {person} {position}'],
    ['anyone', "{self's} {position} <be>? <be>? <leave>", 'lose~ its {position}'],
    ['anyone', "{self's} {position} <be>? <be>? steps|step|stepping|stepped|to down|leave", 'lose~ its {position}'],
    ['company', '<appoint> a|an|its|the? first|new|interim|next {position} {over}', 'name~ a new {position}'],
    ['company', 'poaches|poached|hires|hired|recruits|recruited|names|named {job}', 'appoint~ {job}'],
  ]),
  hiring: wording(
    [
      ['anyone', '<hire> {workers}', 'is hiring {workers}'],
      ['anyone', '<hire> … {jobs}', 'create~ {jobs}'],
      ['anyone', '<create> {jobs}', 'create~ {jobs}'],
      ['company', 'has|have|lists {jobs}', 'have~ {jobs}'],
      ['anyone', 'addition of {workers}', 'is hiring {workers}'],
      ['anyone', '<takeOn> … {workers}', 'is hiring {workers}'],
      ['anyone', '<want> for {workers}', 'is hiring {workers}'],
      ['anyone', 'take|takes|taking on {workers}', 'is hiring {workers}'],
      ['anyone', 'add|adds|adding … {workers}', 'is hiring {workers}'],
      ['company', 'double|doubles|doubling its|the … workforce|headcount|staff|team', 'plans to double its workforce'],
      ['anyone', '{workers} … wanted|needed|recruited|hired|sought', 'is hiring {workers}'],
      ['anyone', 'wanted {workers}', 'is hiring {workers}'],
      ['company', '<takeOn> {number}', 'is hiring {number} people'],
      ['anyone', '{jobs}', 'is hiring for {jobs}'],
      ['anyone', '<want> for {job}', 'is hiring {job}'],
      ['company', 'hires|hired|recruits|recruited {job}', 'hire~ {job}'],
      ['anyone', 'hiring|seeking|seeks|recruiting {job}', 'is hiring {job}'],
    ],
    [['anyone', 'in {known}', ' in {known}']],
  ),
  product_launch: wording([
    ['company', '<launch> of? {product}', 'launch~ {product}'],
    ['company', '<launch> of? {kind}', 'launch~ {kind}'],
    ['company', '<launches> {thing}', 'launch~ {thing}'],
    ['company', '<launching> of {thing}', 'launch~ {thing}'],
    ['company', '<bring> {infinitive} {thing}', 'launch~ {thing}'],
    ['company', 'rolls|rolled|rolling out {thing}', 'launch~ {thing}'],
    ['company', 'announces|announced {gadget}', 'launch~ {gadget}'],
    ['company', 'adds|added|adding {gadget}', 'launch~ {gadget}'],
    ['company', 'now offering|offers|offer {thing}', 'offer~ {thing}'],
    ['anyone', 'its|our {gadget} <be> now? available|live', 'launch~ {gadget}'],
    ['company', '<grows> {gadget}', 'expand~ {gadget}'],
    ['company', 'starts|started|begins|began selling {thing}', 'launch~ {thing}'],
    ['involved', 'launch|introduction|release of {product}', 'launch~ {product}'],
    ['involved', 'launch|introduction|release of {thing}', 'launch~ {thing}'],
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
    ['anyone', 'opening of {self} , in? {known}', 'open~ in {known}'],
    ['company', '<launch> {premises} in {place}', 'open~ {premises} in {place}'],
    ['company', 'acquires|acquired|buys|bought|purchases|purchased {premises}', 'acquire~ {premises}'],
    ['company', '<opens> {premises} in {place}', 'open~ {premises} in {place}'],
    ['company', '<starts> {infinitive} {premises} in {place}', 'open~ {premises} in {place}'],
    ['involved', 'opening of {premises} in {place}', 'open~ {premises} in {place}'],
    ['anyone', 'new {premises} in {place} goes|went|opens|opened', 'open~ {premises} in {place}'],
    ['company', 'opens|opened … in {known}', 'open~ in {known}'],
    ['company', 'moves|moved|moving|relocates|relocated|relocating … to {place}', 'move~ to {place}'],
    ['involved', 'coming to {place}', 'come~ to {place}'],
    ['company', '<enters> {known}', 'enter~ {known}'],
    ['involved', '<expand> … into|to|in|across {known}', 'expand~ in {known}'],
    ['company', '<leases> {thing}', 'lease~ {thing}'],
    ['company', '<launches> {premises}', 'open~ {premises}'],
    ['company', '<enters> {premises}', 'enter~ {premises}'],
    ['company', 'announces|announced {premises}', 'announce~ {premises}'],
    ['company', '<launching> of {premises}', 'open~ {premises}'],
    ['company', '<opens> {premises}', 'open~ {premises}'],
    ['company', '<starts> {infinitive} {premises}', 'open~ {premises}'],
    ['involved', 'opening of {premises}', 'open~ {premises}'],
    ['company', '<grows> {premises}', 'expand~ {premises}'],
    [
      'involved',
      'new … location|store|office|plant|facility|clinic|showroom|site|restaurant|headquarters in {place}',
      'expand~ in {place}',
    ],
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
    ['involved', '<pact> … with {org}', 'partner~ with {org}'],
    ['involved', '<partner> up|forces|closely? with {org}', 'partner~ with {org}'],
    ['involved', 'integrates|integrated|integrating|ties|tied … with {org}', 'partner~ with {org}'],
    ['anyone', '{free} {self} , and|& {org}', 'partner~ with {org}'],
    ['anyone', '{free} {actor} , and|& {self}', 'partner~ with {actor}'],
    ['anyone', '{free} {self} {apposition} , and|& {org}', 'partner~ with {org}'],
    ['anyone', '{free} {actor} {apposition} , and|& {self}', 'partner~ with {actor}'],
    ['anyone', '{free} {actor} , in partnership|collaboration with {self}', 'partner~ with {actor}'],
    ['company', 'partner|sponsor of {org}', 'partner~ with {org}'],
    ['other', 'appoints|appointed|names|named|adds|added|joins|joined|retains {self}', 'partner~ with {actor}'],
    ['other', '<select> {self}', 'partner~ with {actor}'],
    ['company', '<select> {org}', 'partner~ with {org}'],
  ]),
  layoffs: wording([
    ['anyone', '<cut> off? {share}', 'cut~ {share}'],
    ['anyone', '<cut> off? {heads}', 'cut~ {heads} jobs'],
    ['anyone', '{heads} <be>? <be>? lose|losing|lost', 'cut~ {heads} jobs'],
    ['anyone', '{heads} <be>? <be>? <be>? <cut>', 'cut~ {heads} jobs'],
    ['company', '<shut> down? {site} in {place}', 'close~ {site} in {place}'],
    ['anyone', '<cut> off? … {heads}', 'cut~ {heads} jobs'],
    ['anyone', '{heads} … <loses>', 'cut~ {heads} jobs'],
    ['anyone', 'loss|layoff|layoffs|costing|redundancy of? {heads}', 'cut~ {heads} jobs'],
    ['company', '<cut> off? {number}', 'cut~ {number} jobs'],
    ['company', '<cut> {percentage}', 'cut~ its workforce by {percentage}'],
    ['company', 'let|lets|letting {heads} go', 'cut~ {heads} jobs'],
    ['anyone', '{heads} leave', 'cut~ {heads} jobs'],
    ['anyone', '{heads} … notice', 'cut~ {heads} jobs'],
    ['company', 'shuts|shut|closes|closed|shutters|shuttered {site}', 'close~ {site}'],
    ['anyone', 'workforce|staff|headcount by {percentage}', 'cut~ its workforce by {percentage}'],
    ['company', '<shut> down? {premises}', 'close~ {premises}'],
    ['company', 'close|shut {infinitive} {premises}', 'close~ {premises}'],
    ['company', 'files|filed|filing … for bankruptcy', 'file~ for bankruptcy'],
    ['company', 'files|filed|filing … under|for chapter', 'file~ for bankruptcy'],
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
    ['anyone', '{exchange} welcomes {self}', 'list~ on {exchange}'],
    [
      'company',
      'closes|closed|closing|completes|completed of? a|an|its|the? upsized? {sum} … offering|ipo',
      'complete~ an offering of {sum}',
    ],
    ['company', 'raises|raised|rakes|raked in? {sum} … ipo|offering', 'raise~ {sum} in its IPO'],
    ['involved', 'files|filed|filing … to … {exchange}', 'file~ to list on {exchange}'],
    ['involved', '<list> … on|to {exchange}', 'list~ on {exchange}'],
    ['company', 'heads|heading|uplists|moves|uplisting … for|to {exchange}', 'be~ to list on {exchange}'],
    ['company', 'ipo|listing|offering filing', 'file~ for an IPO'],
    ['company', 'submitted|submits|filed|files … s-1|prospectus|papers', 'file~ for an IPO'],
    ['anyone', 'priced|prices|price|pricing … at|of {price}', 'price~ its shares at {price}'],
    ['anyone', 'trading|admission|admitted|debut|float|listing|day … on|to {exchange}', 'list~ on {exchange}'],
    ['anyone', '{sum} ipo|float|listing|issue', 'go~ public in an offering of {sum}'],
    ['anyone', 'spac {org}', 'go~ public by merging with {org}'],
    ['company', 'registration statement', 'file~ for an IPO'],
  ]),
  customer_win: wording([
    ['company', '<win> … contract|contracts … from|with|by {org}', 'win~ a contract from {org}'],
    ['company', '<win> … order|orders … from|with|by {org}', 'win~ an order from {org}'],
    ['company', '<be>? <select> by {org}', 'win~ {org} as a customer'],
    ['other', 'awards|awarded|award {self} … contract', 'win~ a contract from {actor}'],
    ['other', 'awards|awarded|award {self} … order', 'win~ an order from {actor}'],
    ['other', "<select> {self's}", 'win~ {actor} as a customer'],
    ['other', "<adopt> {self's}", 'win~ {actor} as a customer'],
    ['other', "<select> {org} and {self's}", 'win~ {actor} as a customer'],
    ['other', "<migrate> … to {self's}", 'win~ {actor} as a customer'],
    ['other', "goes|went|gone live|with? on|with {self's}", 'win~ {actor} as a customer'],
    ['other', "rolls|rolled|rolling out {self's}", 'win~ {actor} as a customer'],
    ['other', "turns|turned|turning to {self's}", 'win~ {actor} as a customer'],
    ['other', "ditches|ditched|replaces|replaced|replacing … for|with {self's}", 'win~ {actor} as a customer'],
    ['other', "uses|use|using|installs|installed|signs|signed|hires|hired {self's}", 'win~ {actor} as a customer'],
    ['other', 'orders|ordered|buys|bought … from {self}', 'win~ an order from {actor}'],
    ['other', '<gives> … contract|order|work|deal|tender to {self}', 'win~ a contract from {actor}'],
    ['other', '<gives> {self} … contract|order|work|deal|tender', 'win~ a contract from {actor}'],
    ['company', '<win> … deal|agreement|job|tender … from|with|by|for {org}', 'win~ a contract from {org}'],
    ['company', 'lands|landed|signs|signed|bags|nabs {org}', 'win~ {org} as a customer'],
    ['company', '<win> … {sum} … contract|order|deal|job', 'win~ a contract worth {sum}'],
    ['company', '<win> … {sum} … contracts|orders|deals', 'win~ contracts worth {sum}'],
    ['company', 'supply|supplies|supplying|equips|equip|provides|provide {org}', 'supply~ {org}'],
    ['involved', 'contract with|from {org}', 'win~ a contract from {org}'],
    ['involved', 'order from {org}', 'win~ an order from {org}'],
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
    ['company', 'rolls|rolled|rolling|roll out {org}', 'adopt~ {org}'],
    ['company', 'turns|turned|turning to {org}', 'choose~ {org}'],
    ['company', 'harnesses|harnessed|leverages|leveraged|integrates|integrated|integrating {org}', 'use~ {org}'],
    ['involved', 'powered by {org}', 'use~ {org}'],
    ['involved', 'integration|integrated with {org}', 'adopt~ {org}'],
    ['other', '<sign> … agreement|contract|deal|order|orders with|from {self}', 'choose~ {actor}'],
    ['company', 'ditches|ditched|replaces|replaced|replacing|replace … for|with {org}', 'adopt~ {org}'],
    ['company', 'goes|went|gone|go live? with|on {org}', 'choose~ {org}'],
    ['company', 'installs|installed|installing|introduces|introduced|introducing {org}', 'adopt~ {org}'],
    ['company', 'orders|ordered|ordering|buys|bought {thing} from {org}', 'order~ {thing} from {org}'],
    ['company', 'orders|ordered|ordering|buys|bought … from {org}', 'order~ from {org}'],
    ['company', '<gives> … contract|order|work|deal|tender to {org}', 'choose~ {org}'],
    ['company', '<gives> {org} … contract|order|work|deal|tender', 'choose~ {org}'],
    ['other', '<win> … contract|order|deal|tender … from|with|by|for {self}', 'choose~ {actor}'],
    ['other', 'lands|landed|wins|won|signs|signed|bags|nabs {self}', 'choose~ {actor}'],
    ['anyone', '{actor} <be>? <be>? chosen|selected|picked|tapped by {self}', 'choose~ {actor}'],
    ['company', '<uses> {tool}', 'adopt~ {tool}'],
    ['company', 'adopt|deploy|implement|install|introduce|integrate {infinitive} {tool}', 'adopt~ {tool}'],
    ['company', 'rolls|rolled|rolling|roll out {tool}', 'adopt~ {tool}'],
  ]),
  security_incident: wording([
    ['anyone', '{affected} … <taken>', 'had a breach that affects {affected}'],
    ['anyone', '<stole> … {affected}', 'had a breach that affects {affected}'],
    ['anyone', 'breach|hack|attack|leak … {affected}', 'had a breach that affects {affected}'],
    ['anyone', 'ransomware', 'was hit by ransomware'],
    ['anyone', 'data breach|breaches', 'had a data breach'],
    ['anyone', 'cyberattack|cyber-attack|cyberattacks', 'was hit by a cyberattack'],
    ['anyone', 'cyber attack|attacks', 'was hit by a cyberattack'],
    ['anyone', 'ddos', 'was hit by a DDoS attack'],
    ['anyone', 'data leak|leaks', 'had a data leak'],
    ['company', 'hacked', 'was hacked'],
    ['anyone', 'hacked', 'was hacked'],
    ['anyone', 'phishing attack', 'was hit by a phishing attack'],
    ['anyone', 'hack|hacking of|at {self}', 'was hacked'],
    ['anyone', 'leaked|leaks … data|passwords|records|details', 'had a data leak'],
    ['company', 'hit by … attack|hack', 'was hit by an attack'],
    ['involved', 'hackers|intruders|attackers had|have|gained access', 'had intruders in its systems'],
    ['anyone', 'data theft', 'had data stolen'],
    ['anyone', 'data <be>? <be>? stolen', 'had data stolen'],
    ['anyone', 'stole|stolen … data|files|details|records', 'had data stolen'],
    ['anyone', 'unauthorized|unauthorised access|party', 'had unauthorised access to its systems'],
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
