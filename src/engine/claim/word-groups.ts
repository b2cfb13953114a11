// Inflected forms of the verbs and nouns that frames refer to by one word: `<acquire>`.
export const WORD_GROUPS = {
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
  step: 'steps|step|stepping|stepped',
  join: 'joins|joined|joining|join',
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
  enters: 'enters|entered|entering|enter|entry',
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
