// Triggers of what happens to the company itself: money, deals, people.
import type { TriggerGroup } from './lexicon.ts'

export const CORPORATE_TRIGGERS: readonly TriggerGroup[] = [
  // funding
  {
    name: 'raise',
    signal: 'funding',
    frame: 'subject',
    needs: ['money'],
    wants: ['fund_noun'],
    phrases: 'raise~|has raised|have raised|capital raise|million raise|equity raise',
  },
  {
    name: 'secure_funds',
    signal: 'funding',
    frame: 'subject',
    needs: ['fund_noun'],
    wants: ['money'],
    phrases: 'secure~|land~|bags|bagged|nets|netted|lands|attract~|obtain~|draws down|drawdown',
  },
  {
    name: 'close_funds',
    signal: 'funding',
    frame: 'subject',
    needs: ['fund_noun'],
    wants: ['money'],
    phrases: 'close~|complete~|closing of|completion of|pricing of',
  },
  {
    name: 'announce_funds',
    signal: 'funding',
    frame: 'subject',
    needs: ['fund_noun'],
    wants: ['money'],
    phrases: 'announces|enters into|entered into|issue~|price~',
  },
  {
    name: 'receive_funds',
    signal: 'funding',
    frame: 'subject',
    needs: ['fund_noun'],
    wants: ['money'],
    phrases: 'receive~|award~|awarded|won|wins|granted|gets|got',
  },
  {
    name: 'round',
    signal: 'funding',
    frame: 'subject',
    wants: ['money'],
    phrases:
      'funding round|financing round|seed round|seed funding|seed financing|series a|series b|series c|series d|series e|investment round|growth investment|equity financing|debt financing|venture funding|strategic investment|equity investment|growth equity|pre seed|growth capital|new funding|in funding|in financing|of funding|of financing|equity raise|capital raise',
  },
  {
    name: 'offering',
    signal: 'funding',
    frame: 'subject',
    wants: ['money'],
    phrases:
      'private placement|registered direct offering|public offering|credit facility|credit agreement|term loan|convertible notes|rights offering|follow on offering|at the market offering|revolving credit|senior notes|private offering|regulation a offering|reg a offering|proposed offering|underwritten offering|note program|construction loan|senior loan|bridge loan|notes offering|secured notes|financing facility|standby equity',
  },
  {
    name: 'shares',
    signal: 'funding',
    frame: 'subject',
    wants: ['money'],
    phrases:
      'shares of common stock|offering of|pricing of|regulation a|reg a|gross proceeds|loan agreement|line of credit',
  },
  {
    name: 'grant',
    signal: 'funding',
    frame: 'subject',
    wants: ['money'],
    phrases:
      'crowdfunding campaign|equity crowdfunding|crowdfunding|recent grant|grant from|grant to|a grant|grant funding|grant award|federal grant|research grant|grant for',
  },
  {
    name: 'invest_in',
    signal: 'funding',
    frame: 'object',
    wants: ['money'],
    phrases:
      'invest~ in|investment in|investment into|backs|backing|funding for|financing for|loan to|loan for|financing to|grant to|grants to|funding to|funds to|leads round in|provides funding|provides financing|provided a',
  },
  {
    name: 'investment_from',
    signal: 'funding',
    frame: 'subject',
    wants: ['money'],
    phrases: 'investment from|funding from|financing from|backing from|capital from|commitment from',
  },

  {
    name: 'ipo_proceeds',
    signal: 'funding',
    frame: 'subject',
    needs: ['money', 'stock'],
    wants: ['money'],
    phrases: 'initial public offering|ipo|priced its|closes its|closing of its',
  },

  // acquisition
  {
    name: 'acquire',
    signal: 'acquisition',
    frame: 'either',
    wants: ['deal_noun'],
    phrases: 'acquire~|to acquire|acquired by|be acquired by',
  },
  {
    name: 'acquisition_of',
    signal: 'acquisition',
    frame: 'either',
    wants: ['deal_noun'],
    phrases: 'acquisition of|acquisition by|acquires majority|takeover of|purchase of|buyout of|takes over|take over',
  },
  {
    name: 'acquisition',
    signal: 'acquisition',
    frame: 'either',
    wants: ['deal_noun', 'money'],
    phrases: 'acquisition|acquisitions',
  },
  {
    name: 'merger',
    signal: 'acquisition',
    frame: 'either',
    wants: ['firm'],
    phrases:
      'merger|merge~ with|merge~|merger agreement|plan of merger|business combination|becomes part of|become part of|to become part of|amalgamation|reverse takeover',
  },
  {
    name: 'combine',
    signal: 'acquisition',
    frame: 'either',
    needs: ['deal_noun', 'firm'],
    phrases:
      'combine~ with|joins forces with|join forces with|combine~ forces|officially combined with|integration of|combination with|combination of',
  },
  {
    name: 'buy',
    signal: 'acquisition',
    frame: 'either',
    needs: ['deal_noun', 'money'],
    phrases: 'buy|buys|bought|buying|to buy|purchase~|snaps up|picks up',
  },
  {
    name: 'sell',
    signal: 'acquisition',
    frame: 'either',
    needs: ['deal_noun'],
    wants: ['money'],
    phrases:
      'sells|sold|to sell|sale of|divest~|divestiture|divestiture of|disposed of|disposal of|spin off|spins off|employee ownership',
  },
  {
    name: 'stake',
    signal: 'acquisition',
    frame: 'either',
    wants: ['money'],
    phrases:
      'majority stake|controlling stake|majority interest|controlling interest|tender offer|majority ownership|stake in|wholly owned subsidiary of|ownership in',
  },

  {
    name: 'interest',
    signal: 'acquisition',
    frame: 'either',
    wants: ['money', 'firm'],
    phrases: 'stake|equity interest|interest in|owned by|now owned by',
  },

  // leadership_change
  {
    name: 'appoint',
    signal: 'leadership_change',
    frame: 'subject',
    needs: ['title'],
    phrases: 'appoint~|name~|elect~|tap|taps|tapped|promote~|hire~|recruit~|names new|elevate~|newly appointed',
  },
  {
    name: 'add_leader',
    signal: 'leadership_change',
    frame: 'subject',
    needs: ['title'],
    phrases: 'engages|strengthens its|strengthens|place~|bolsters|expands its|announces|expands',
  },
  {
    name: 'welcome',
    signal: 'leadership_change',
    frame: 'subject',
    needs: ['title'],
    phrases: 'welcome~|add~|bring~ on|brings on|bringing on|brought on|brings in|onboard~',
  },
  {
    name: 'appointment',
    signal: 'leadership_change',
    frame: 'subject',
    wants: ['title'],
    phrases:
      'appointment of|promotion of|addition of|hiring of|appointment|appointments|election of|promotions|named as|placement of|new addition to|strategic hire|strategic hires|new hires|key hires|hires',
  },
  {
    name: 'join',
    signal: 'leadership_change',
    frame: 'person',
    needs: ['title'],
    phrases: 'join~|has joined|have joined|joins as|joined as',
  },
  {
    name: 'was_named',
    signal: 'leadership_change',
    frame: 'person',
    needs: ['title'],
    phrases:
      'been named|been appointed|been promoted|was appointed|is appointed|was elected|been elected|was promoted|is named|appointed as|promoted to|named to|appointed to|elected to|been hired|be promoted|be appointed|elevated to|will be led by|being elevated|was hired|has been hired|assume~ the|assume~ the role|took over as',
  },
  {
    name: 'serve_as',
    signal: 'leadership_change',
    frame: 'person',
    needs: ['title'],
    phrases: 'will become|becomes|takes on|will serve|serve as|serves as',
  },
  {
    name: 'leave',
    signal: 'leadership_change',
    frame: 'person',
    needs: ['title'],
    phrases:
      'step~ down|stepping down|stepped down|steps down|resign~|resignation|resignation of|retire~|retirement of|depart~|departure of|succeed~|succession|successor|replace~|transition to|will leave|leaves',
  },
  {
    name: 'new_role',
    signal: 'leadership_change',
    frame: 'subject',
    phrases:
      'new ceo|new chief|new president|new cfo|new cto|new coo|new chairman|new managing director|new vice president|new general manager|new executive director|new head of|interim ceo|will serve as|assume the role|assumes the role|leadership transition|leadership changes|executive appointments|leadership appointment',
  },
  {
    name: 'board',
    signal: 'leadership_change',
    frame: 'subject',
    phrases: 'board of directors|leadership team|will lead|new leadership|new board|new role',
  },

  // hiring
  {
    name: 'hiring',
    signal: 'hiring',
    frame: 'subject',
    wants: ['job_noun'],
    phrases:
      'is hiring|now hiring|recruitment drive|hiring event|hiring spree|job fair|job openings|open positions|open roles|career fair|hiring plans|to hire|will hire|plans to hire|hire more|hires more|seeks to fill|hiring for',
  },
  {
    name: 'hiring_word',
    signal: 'hiring',
    frame: 'subject',
    wants: ['job_noun'],
    phrases: 'hiring|recruiting|recruitment',
  },
  {
    name: 'new_jobs',
    signal: 'hiring',
    frame: 'subject',
    wants: ['place'],
    phrases:
      'new jobs|create~ jobs|job creation|full time jobs|new positions|new hires|additional employees|new employees|new team members|jobs in|jobs at|additional staff|jobs over|new roles',
  },
  {
    name: 'create_jobs',
    signal: 'hiring',
    frame: 'subject',
    needs: ['job_noun'],
    phrases: 'create~|will create|adding|to add|to employ|will employ',
  },
  {
    name: 'grow_team',
    signal: 'hiring',
    frame: 'subject',
    needs: ['job_noun'],
    phrases:
      'grow~ its|grow~ the|expand its|expands its|expand the|expand our|expands team|expands its team|double~ its|expand~ team|growing its|growing our|headcount|team expansion|workforce expansion|increase~ its|bolster~ its|strengthen~ its',
  },
]
