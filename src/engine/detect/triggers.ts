// The triggers of the built-in signals. A group is one feature of the learned judgement: phrases of equal meaning
// and equal strength share one, so a few hundred labelled documents are enough to weigh them.
import type { TriggerGroup } from './lexicon.ts'

export const TRIGGER_GROUPS: readonly TriggerGroup[] = [
  // funding
  { name: 'raise', signal: 'funding', frame: 'subject', needs: ['money'], wants: ['fund_noun'], phrases: 'raise~|has raised|have raised' },
  { name: 'secure_funds', signal: 'funding', frame: 'subject', needs: ['fund_noun'], wants: ['money'], phrases: 'secure~|land~|bags|bagged|nets|netted|lands|attract~|obtain~|draws down|drawdown' },
  { name: 'close_funds', signal: 'funding', frame: 'subject', needs: ['fund_noun'], wants: ['money'], phrases: 'close~|complete~|closing of|completion of|price~|pricing of|enters into|entered into|issue~|announces' },
  { name: 'receive_funds', signal: 'funding', frame: 'subject', needs: ['fund_noun'], wants: ['money'], phrases: 'receive~|award~|awarded|won|wins|granted|gets|got' },
  { name: 'round', signal: 'funding', frame: 'subject', wants: ['money'], phrases: 'funding round|financing round|seed round|seed funding|seed financing|series a|series b|series c|series d|series e|investment round|growth investment|equity financing|debt financing|venture funding|strategic investment|equity investment|growth equity|pre seed|growth capital|new funding|in funding|in financing|of funding|of financing|equity raise|capital raise' },
  { name: 'offering', signal: 'funding', frame: 'subject', wants: ['money'], phrases: 'private placement|registered direct offering|public offering|gross proceeds|credit facility|credit agreement|term loan|convertible notes|rights offering|follow on offering|at the market offering|revolving credit|senior notes|loan agreement|line of credit' },
  { name: 'grant', signal: 'funding', frame: 'subject', wants: ['money'], phrases: 'grant from|grant to|a grant|grant funding|grant award|federal grant|research grant|grant for' },
  { name: 'invest_in', signal: 'funding', frame: 'object', wants: ['money'], phrases: 'invest~ in|investment in|investment into|backs|funding for|financing for' },
  { name: 'investment_from', signal: 'funding', frame: 'subject', wants: ['money'], phrases: 'investment from|funding from|financing from|backing from|capital from|commitment from' },

  // acquisition
  { name: 'acquire', signal: 'acquisition', frame: 'either', wants: ['deal_noun'], phrases: 'acquire~|to acquire|acquired by|be acquired by' },
  { name: 'acquisition_of', signal: 'acquisition', frame: 'either', wants: ['deal_noun'], phrases: 'acquisition of|acquisition by|acquires majority|takeover of|purchase of|buyout of|takes over|take over' },
  { name: 'acquisition', signal: 'acquisition', frame: 'either', wants: ['deal_noun', 'money'], phrases: 'acquisition|acquisitions' },
  { name: 'merger', signal: 'acquisition', frame: 'either', wants: ['firm'], phrases: 'merger|merge~ with|merge~|merger agreement|plan of merger|business combination|becomes part of|become part of|to become part of|amalgamation|reverse takeover' },
  { name: 'combine', signal: 'acquisition', frame: 'either', needs: ['deal_noun', 'firm'], phrases: 'combine~ with|joins forces with|join forces with|combine~ forces' },
  { name: 'buy', signal: 'acquisition', frame: 'either', needs: ['deal_noun', 'money'], phrases: 'buy|buys|bought|buying|to buy|purchase~' },
  { name: 'sell', signal: 'acquisition', frame: 'either', needs: ['deal_noun'], wants: ['money'], phrases: 'sells|sold|to sell|sale of|divest~|divestiture|divestiture of|disposed of|disposal of|spin off|spins off|employee ownership' },
  { name: 'stake', signal: 'acquisition', frame: 'either', wants: ['money'], phrases: 'majority stake|controlling stake|majority interest|controlling interest|tender offer|majority ownership|stake in|wholly owned subsidiary of|ownership in' },

  // leadership_change
  { name: 'appoint', signal: 'leadership_change', frame: 'subject', needs: ['title'], phrases: 'appoint~|name~|elect~|tap|taps|tapped|promote~|hire~|recruit~|names new' },
  { name: 'welcome', signal: 'leadership_change', frame: 'subject', needs: ['title'], phrases: 'welcome~|add~|bring~ on|brings on|bringing on|brought on|brings in|onboard~' },
  { name: 'appointment', signal: 'leadership_change', frame: 'subject', wants: ['title'], phrases: 'appointment of|promotion of|addition of|hiring of|appointment|appointments|election of|promotions|named as' },
  { name: 'join', signal: 'leadership_change', frame: 'person', needs: ['title'], phrases: 'join~|has joined|have joined|joins as|joined as' },
  { name: 'was_named', signal: 'leadership_change', frame: 'person', needs: ['title'], phrases: 'been named|been appointed|been promoted|was appointed|is appointed|was elected|been elected|was promoted|is named|appointed as|promoted to|named to|appointed to|elected to|been hired|be promoted|be appointed' },
  { name: 'leave', signal: 'leadership_change', frame: 'person', needs: ['title'], phrases: 'step~ down|stepping down|stepped down|steps down|resign~|resignation|resignation of|retire~|retirement of|depart~|departure of|succeed~|succession|successor|replace~|transition to|will leave|leaves' },
  { name: 'new_role', signal: 'leadership_change', frame: 'subject', phrases: 'new ceo|new chief|new president|new cfo|new cto|new coo|new chairman|new managing director|new vice president|new general manager|new executive director|new head of|new leadership|new board|board of directors|interim ceo|will serve as|will lead|assume the role|assumes the role|new role|leadership transition|leadership changes|executive appointments|leadership team|leadership appointment' },

  // hiring
  { name: 'hiring', signal: 'hiring', frame: 'subject', wants: ['job_noun'], phrases: 'hiring|is hiring|now hiring|recruiting|recruitment|recruitment drive|hiring event|hiring spree|job fair|job openings|open positions|open roles|career fair|hiring plans|to hire|will hire|plans to hire|hire more|hires more|seeks to fill|hiring for' },
  { name: 'new_jobs', signal: 'hiring', frame: 'subject', wants: ['place'], phrases: 'new jobs|create~ jobs|job creation|full time jobs|new positions|new hires|additional employees|new employees|new team members|jobs in|jobs at|additional staff|jobs over|new roles' },
  { name: 'create_jobs', signal: 'hiring', frame: 'subject', needs: ['job_noun'], phrases: 'create~|will create|adding|to add|to employ|will employ' },
  { name: 'grow_team', signal: 'hiring', frame: 'subject', needs: ['job_noun'], phrases: 'grow~ its|grow~ the|expand its|expands its|expand the|expand our|expands team|expands its team|double~ its|expand~ team|growing its|growing our|headcount|team expansion|workforce expansion|increase~ its|bolster~ its|strengthen~ its' },

  // product_launch
  { name: 'launch', signal: 'product_launch', frame: 'subject', wants: ['product'], phrases: 'launch~|has launched|have launched|to launch' },
  { name: 'launch_of', signal: 'product_launch', frame: 'subject', wants: ['product'], phrases: 'launch of|the launch|official launch|rollout of|roll out of|release of|introduction of|unveiling of|availability of|debut of|general availability|the rollout|the release|commercial launch' },
  { name: 'unveil', signal: 'product_launch', frame: 'subject', wants: ['product'], phrases: 'unveil~|introduce~|debut~|roll~ out|rolls out|rolled out|rolling out' },
  { name: 'showcase', signal: 'product_launch', frame: 'subject', needs: ['product'], phrases: 'showcase~|present~|demonstrate~' },
  { name: 'release', signal: 'product_launch', frame: 'subject', needs: ['product'], phrases: 'release~|bring~ to market|publish~|deliver~ new|add~ new|create~ new|develop~ new|announce~ new|announces' },
  { name: 'available', signal: 'product_launch', frame: 'subject', wants: ['product'], phrases: 'now available|available now|is available|are available|available for|available on|available in|available at|go~ live|goes live|went live|is live|now live|now offering|now offers|now offer|available starting|will be available|made available|makes available|hits the market|on the market|pre order|preorder' },
  { name: 'new_product', signal: 'product_launch', frame: 'subject', wants: ['announce'], phrases: 'new product|new products|new platform|new app|new service|new services|new feature|new features|new version|new model|new solution|new collection|new line|new suite|new tool|new software|new capabilities|new technology|next generation|enhancement|upgrade|new ai|first of its kind|new generation|latest innovation|major update|brand new|enhanced' },

  // expansion
  { name: 'expand', signal: 'expansion', frame: 'subject', wants: ['place'], phrases: 'expand~|expand~ into|expand~ to|expand~ its' },
  { name: 'expansion', signal: 'expansion', frame: 'subject', wants: ['place'], phrases: 'expansion|expansion into|expansion of|expansion to|expansion plan|expansion plans' },
  { name: 'open', signal: 'expansion', frame: 'subject', needs: ['place'], phrases: 'open~|opens new|opening of|opening|opened its|to open|will open|now open|establish~|set~ up|setting up' },
  { name: 'grand_opening', signal: 'expansion', frame: 'subject', phrases: 'grand opening|ribbon cutting|break~ ground|breaks ground|broke ground|breaking ground|groundbreaking ceremony|opens its doors|opened its doors|now accepting appointments|soft opening' },
  { name: 'new_place', signal: 'expansion', frame: 'subject', wants: ['announce'], phrases: 'new office|new offices|new location|new locations|new store|new stores|new facility|new headquarters|new plant|new factory|new market|new markets|new warehouse|new center|new centre|new campus|new showroom|new branch|new clinic|new studio|new restaurant|second location|third location|first location|first retail|first store|new site|new hub|new division|new subsidiary|new state|new countries|additional capacity|production capacity|manufacturing facility|new home|new region|new regions|satellite locations|flagship store|flagship location' },
  { name: 'enter_market', signal: 'expansion', frame: 'subject', wants: ['place'], phrases: 'enter~ the|entering the|enters|entry into|market entry|enter~ new|relocate~|relocation|move~ to|moves its|move~ its|growing presence|strengthen~ presence|expand~ presence|global presence|footprint|foothold|pivot|pivots|extends its|extend~ reach|scale~ operations|doubles capacity|double~ its|more than doubled' },

  // partnership
  { name: 'partner_with', signal: 'partnership', frame: 'either', wants: ['announce'], phrases: 'partner~ with|partner~|team~ up|teams up|teaming up|join~ forces|joins forces|collaborate~ with|collaborate~|ally with|allies with|work~ with|working with|worked with|works closely with' },
  { name: 'partnership', signal: 'partnership', frame: 'either', wants: ['announce', 'firm'], phrases: 'partnership with|partnership between|strategic partnership|new partnership|the partnership|this partnership|partnership|partnerships|a partnership|multi year partnership|exclusive partnership|partnership agreement|in partnership with' },
  { name: 'collaboration', signal: 'partnership', frame: 'either', wants: ['announce', 'firm'], phrases: 'collaboration|collaboration with|collaboration between|strategic collaboration|in collaboration with|the collaboration|this collaboration|alliance|strategic alliance|alliance with|joint venture|strategic relationship|cooperation|co develop|collaborative' },
  { name: 'agreement', signal: 'partnership', frame: 'either', wants: ['announce', 'firm'], phrases: 'distribution agreement|licensing agreement|license agreement|reseller agreement|strategic agreement|agreement with|memorandum of understanding|mou|letter of intent|licensing deal|supply agreement|signs agreement|deal with|marketing agreement|distribution deal|exclusive distributor|exclusive agreement|co marketing|definitive agreement with|development agreement|service agreement|sponsorship' },
  { name: 'integration', signal: 'partnership', frame: 'either', wants: ['announce', 'technology'], phrases: 'integrate~ with|integration with|integrates|integrate~|integration|integration of|integrates into|compatible with' },
  { name: 'official_partner', signal: 'partnership', frame: 'either', wants: ['announce'], phrases: 'official partner|exclusive partner|technology partner|marketing partner|strategic partner|preferred partner|partner program|channel partner|named partner|partner for|partner of|as a partner|new partner|official sponsor|official dealer|distributor|partner network|global partner' },

  // layoffs
  { name: 'lay_off', signal: 'layoffs', frame: 'subject', phrases: 'lay off|lays off|laid off|laying off|layoff|layoffs|job cuts|workforce reduction|workforce reductions|reduction in force|reduce its workforce|reducing its workforce|reduces workforce|reduced its workforce|staff reductions|staff cuts|redundancies|downsizing|downsizes|eliminate positions|eliminating positions|headcount reduction|job losses|cutting jobs|cut jobs|cuts jobs|slash jobs|slashes jobs|furlough|furloughs|furloughed|reduce headcount|workforce by' },
  { name: 'cut_jobs', signal: 'layoffs', frame: 'subject', needs: ['job_noun'], phrases: 'cut|cuts|cutting|slash~|slashes|eliminate~|axe|axes|axing|shed|sheds|let go|reduce~|shut~ down|closing its|close its|closure of|restructuring' },

  // ipo
  { name: 'ipo', signal: 'ipo', frame: 'subject', wants: ['exchange', 'money'], phrases: 'ipo|initial public offering|go public|goes public|going public|went public|direct listing|public listing|public debut|market debut|stock market debut|debut on' },
  { name: 'listing', signal: 'ipo', frame: 'subject', needs: ['exchange'], phrases: 'begin~ trading|begins trading|began trading|commence~ trading|commence trading|start~ trading|listing on|list~ on|lists on|listed on the|uplist|uplisting|uplists|uplisted|uplist to|approved for listing|approval to list|trading on|admission to trading|up listing|rings the|ring the' },
  { name: 'spac', signal: 'ipo', frame: 'either', wants: ['exchange', 'firm'], phrases: 'spac|business combination|special purpose acquisition|de spac|blank check' },
  { name: 'file_ipo', signal: 'ipo', frame: 'subject', phrases: 'registration statement|form s 1|form f 1|s 1|f 1|files for|filed for|prices initial|pricing of its initial|closing of its initial|regulation a|reg a' },

  // customer_win
  { name: 'selected_by', signal: 'customer_win', frame: 'passive', wants: ['contract', 'technology'], phrases: 'selected by|chosen by|picked by|tapped by|engaged by|retained by|adopted by|deployed by|deployed at|been selected|been chosen|awarded by|implemented by|used by|purchased by|ordered by' },
  { name: 'win_contract', signal: 'customer_win', frame: 'subject', needs: ['contract'], wants: ['money'], phrases: 'win~|wins|won|award~|awarded|secure~|land~|receive~|sign~|signs|signed|clinches|bag~|bags' },
  { name: 'contract', signal: 'customer_win', frame: 'subject', wants: ['money'], phrases: 'contract with|contract from|contract award|contract to|contract for|contracts with|purchase order|purchase orders|order from|orders from|supply contract|new contract|new customer|new client|first customer|new customers|first order|multi year contract|contract worth|contract valued|as a customer|as a client|purchase contract|task order' },
  { name: 'selects', signal: 'customer_win', frame: 'object', wants: ['technology', 'contract'], phrases: 'select~|choose|chooses|chose|chosen|engages|engaged|picks|taps|hires|retains|retained|adopts|deploys|implements|opts for|turns to|goes with' },

  // technology_adoption
  { name: 'adopts', signal: 'technology_adoption', frame: 'subject', wants: ['technology'], phrases: 'select~|choose|chooses|chose|adopt~|deploy~|implement~|migrate~ to|standardize~ on|standardise~ on|switch~ to|go~ live with|goes live with|roll~ out|opts for|upgrade~ to|transition~ to|moves to|integrate~|leverages|will use|adoption of|implementation of|deployment of|engages|to deploy|uses' },
  { name: 'powered_by', signal: 'technology_adoption', frame: 'passive', wants: ['technology'], phrases: 'powered by|built on|running on|runs on|integration with|integrates' },
  { name: 'adopted_by', signal: 'technology_adoption', frame: 'agent', wants: ['technology', 'contract'], phrases: 'selected by|chosen by|adopted by|deployed by|deployed at|implemented by|used by|powers|powered' },

  // security_incident
  { name: 'breach', signal: 'security_incident', frame: 'either', wants: ['breach_verb'], phrases: 'data breach|data breaches|security breach|data leak|cyberattack|cyber attack|cyberattacks|ransomware attack|ransomware|security incident|cybersecurity incident|cyber incident|hacked|hackers|hack|unauthorized access|unauthorised access|data security incident|breach of|breached|was breached|data theft|personal information was|unauthorized party|unauthorized third party|exploit|ddos attack|compromised|stolen data' },
]
