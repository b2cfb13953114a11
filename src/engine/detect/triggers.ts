// The triggers of the built-in signals. A group is one feature of the learned model: phrases of equal meaning
// and equal strength share one, so a few hundred labelled documents are enough to weigh them.
import type { TriggerGroup } from './lexicon.ts'
import { CORPORATE_TRIGGERS } from './triggers-corporate.ts'
import { PLAIN_TRIGGERS } from './triggers-plain.ts'

export const TRIGGER_GROUPS: readonly TriggerGroup[] = [
  ...CORPORATE_TRIGGERS,
  ...PLAIN_TRIGGERS,

  // product_launch
  {
    name: 'launch',
    signal: 'product_launch',
    frame: 'subject',
    wants: ['product'],
    phrases: 'launch~|has launched|have launched|to launch',
  },
  {
    name: 'launch_of',
    signal: 'product_launch',
    frame: 'subject',
    wants: ['product'],
    phrases:
      'launch of|the launch|official launch|rollout of|roll out of|release of|introduction of|unveiling of|availability of|debut of|general availability|the rollout|the release|commercial launch',
  },
  {
    name: 'unveil',
    signal: 'product_launch',
    frame: 'subject',
    wants: ['product'],
    phrases: 'unveil~|introduce~|debut~|roll~ out|rolls out|rolled out|rolling out|kick~ off|premiere~|reveal~|drops',
  },
  {
    name: 'showcase',
    signal: 'product_launch',
    frame: 'subject',
    needs: ['product'],
    phrases: 'showcase~|present~|demonstrate~',
  },
  {
    name: 'release',
    signal: 'product_launch',
    frame: 'subject',
    needs: ['product'],
    phrases:
      'release~|bring~ to market|publish~|deliver~ new|add~ new|create~ new|develop~ new|announce~ new|announces|announce~ its|has introduced|feature launches|now offer|is offering',
  },
  {
    name: 'improve',
    signal: 'product_launch',
    frame: 'subject',
    needs: ['product'],
    phrases:
      'enhance~|offer~|add~|expand~ its|expands|inclusion of|commence~|begin~|integrate~|upgrade~|deliver~|bring~|provide~|support for|can now|develop~|create~',
  },
  {
    name: 'available',
    signal: 'product_launch',
    frame: 'subject',
    wants: ['product'],
    phrases:
      'now available|available now|is available|are available|available for|available on|available in|available at|go~ live|goes live|went live|is live|now live|now offering|now offers|now offer|available starting|will be available|made available|makes available|hits the market|on the market|pre order|preorder',
  },
  {
    name: 'new_product',
    signal: 'product_launch',
    frame: 'subject',
    wants: ['announce'],
    phrases:
      'new product|new products|new platform|new app|new service|new services|new feature|new features|new version|new model|new solution|new collection|new line|new suite|new tool|new software|new ai|latest innovation|major update|new program|new division|new offering|new series|new course|new initiative|new token|new integration|new release|new range|new lineup',
  },
  {
    name: 'upgrade',
    signal: 'product_launch',
    frame: 'subject',
    wants: ['announce'],
    phrases:
      'enhancement|upgrade|next generation|new generation|new technology|new capabilities|enhanced|first of its kind|brand new',
  },

  {
    name: 'latest',
    signal: 'product_launch',
    frame: 'subject',
    needs: ['product'],
    phrases: 'latest|newest|first ever|world first|introducing',
  },

  // expansion
  {
    name: 'expand',
    signal: 'expansion',
    frame: 'subject',
    wants: ['place', 'geo'],
    phrases: 'expand~|expand~ into|expand~ to|expand~ its',
  },
  {
    name: 'expansion',
    signal: 'expansion',
    frame: 'subject',
    wants: ['place', 'geo'],
    phrases: 'expansion|expansion into|expansion of|expansion to|expansion plan|expansion plans',
  },
  {
    name: 'open',
    signal: 'expansion',
    frame: 'subject',
    needs: ['place'],
    phrases:
      'open~|opens new|opening of|opening|opened its|to open|will open|now open|begin~ operations|commence~ operations|establish~ a|establish~ an|establish~|establish~ its|set~ up|setting up',
  },
  {
    name: 'build',
    signal: 'expansion',
    frame: 'subject',
    needs: ['place', 'geo'],
    wants: ['place', 'geo'],
    phrases:
      'launch~ in|launch~ its|launches|debut~ in|debut in|unveil~|construct~|construction of|build~|lease~|invest~|brings|coming to|arrives in|announce~|broaden~|extend~|strengthen~|add~|grow~|launch~',
  },
  {
    name: 'grand_opening',
    signal: 'expansion',
    frame: 'subject',
    phrases:
      'grand opening|ribbon cutting|break~ ground|breaks ground|broke ground|breaking ground|groundbreaking ceremony|opens its doors|opened its doors|now accepting appointments|soft opening',
  },
  {
    name: 'new_place',
    signal: 'expansion',
    frame: 'subject',
    wants: ['announce'],
    phrases:
      'new office|new offices|new location|new locations|new store|new stores|new facility|new headquarters|new plant|new factory|new market|new markets|new warehouse|new center|new centre|new campus|new showroom|new branch|new clinic|new studio|new restaurant|second location|third location|first location|first retail|first store|new site|new hub|new division|new subsidiary|new state|new countries|additional capacity|production capacity|manufacturing facility|new home|new region|new regions|satellite locations|flagship store|flagship location|newest location|fourth location|fifth location|sixth location|newest store|first us|first international|new territory|new territories|new cities|new sites|mega campus|data center campus|new space|new building|larger facility|expanded facility|new production|new manufacturing|new distribution center|new laboratory|new lab|new hotel|new salon|new gym|franchise location|pilot plant|larger space|factory expansion|new international',
  },
  {
    name: 'enter_market',
    signal: 'expansion',
    frame: 'subject',
    wants: ['place', 'geo'],
    phrases:
      'enter~ the|entering the|enters|entry into|market entry|enter~ new|relocate~|relocation|move~ to|moves its|move~ its|growing presence|strengthen~ presence|expand~ presence|global presence|market presence|footprint|foothold|entering|operations in|enter~|market debut in|pivot|pivots|extends its|extend~ reach|scale~ operations|doubles capacity|double~ its|more than doubled',
  },

  {
    name: 'presence',
    signal: 'expansion',
    frame: 'subject',
    wants: ['geo'],
    phrases: 'presence|presence in|reach|markets',
  },

  // partnership
  {
    name: 'partner_with',
    signal: 'partnership',
    frame: 'either',
    wants: ['announce'],
    phrases:
      'partner~ with|partner~|team~ up|teams up|teaming up|join~ forces|joins forces|collaborate~ with|collaborate~|ally with|allies with',
  },
  {
    name: 'work_with',
    signal: 'partnership',
    frame: 'either',
    wants: ['announce'],
    phrases: 'work~ with|working with|worked with|works closely with',
  },
  {
    name: 'partnership',
    signal: 'partnership',
    frame: 'either',
    wants: ['announce', 'firm'],
    phrases:
      'partnership with|partnership between|strategic partnership|new partnership|partnership|a partnership|multi year partnership|exclusive partnership|partnership agreement|in partnership with',
  },
  {
    name: 'this_partnership',
    signal: 'partnership',
    frame: 'either',
    wants: ['announce', 'firm'],
    phrases: 'the partnership|this partnership|partnerships',
  },
  {
    name: 'collaboration',
    signal: 'partnership',
    frame: 'either',
    wants: ['announce', 'firm'],
    phrases:
      'collaboration|collaboration with|collaboration between|strategic collaboration|in collaboration with|alliance|strategic alliance|alliance with|joint venture|strategic relationship',
  },
  {
    name: 'this_collaboration',
    signal: 'partnership',
    frame: 'either',
    wants: ['announce', 'firm'],
    phrases: 'the collaboration|this collaboration|cooperation|collaborative|co develop',
  },
  {
    name: 'agreement',
    signal: 'partnership',
    frame: 'either',
    wants: ['announce', 'firm'],
    phrases:
      'distribution agreement|licensing agreement|license agreement|reseller agreement|strategic agreement|licensing deal|supply agreement|marketing agreement|distribution deal|exclusive distributor|co marketing|development agreement|service agreement',
  },
  {
    name: 'accord',
    signal: 'partnership',
    frame: 'either',
    wants: ['announce', 'firm'],
    phrases:
      'memorandum of understanding|mou|letter of intent|loi|signs agreement|deal with|agreement with|definitive agreement with|exclusive agreement|sponsorship',
  },
  {
    name: 'integration',
    signal: 'partnership',
    frame: 'either',
    wants: ['announce', 'technology'],
    phrases: 'integrate~ with|integration with|integrates|integrate~|integrates into',
  },
  {
    name: 'integration_noun',
    signal: 'partnership',
    frame: 'either',
    wants: ['announce', 'technology'],
    phrases: 'integration|integration of|compatible with',
  },
  {
    name: 'official_partner',
    signal: 'partnership',
    frame: 'either',
    wants: ['announce'],
    phrases:
      'official partner|exclusive partner|technology partner|marketing partner|strategic partner|preferred partner|named partner|new partner|official sponsor|official dealer',
  },
  {
    name: 'partner_noun',
    signal: 'partnership',
    frame: 'either',
    wants: ['announce'],
    phrases:
      'partner for|partner of|as a partner|distributor|partner network|channel partner|partner program|global partner',
  },

  // layoffs
  {
    name: 'lay_off',
    signal: 'layoffs',
    frame: 'subject',
    phrases:
      'lay off|lays off|laid off|laying off|layoff|layoffs|job cuts|workforce reduction|workforce reductions|reduction in force|reduce its workforce|reducing its workforce|reduces workforce|reduced its workforce|staff reductions|staff cuts|redundancies|downsizing|downsizes|eliminate positions|eliminating positions|headcount reduction|job losses|cutting jobs|cut jobs|cuts jobs|slash jobs|slashes jobs|furlough|furloughs|furloughed|reduce headcount|workforce by',
  },
  {
    name: 'cut_jobs',
    signal: 'layoffs',
    frame: 'subject',
    needs: ['job_noun'],
    phrases:
      'cut|cuts|cutting|slash~|slashes|eliminate~|axe|axes|axing|shed|sheds|let go|reduce~|shut~ down|closing its|close its|closure of|restructuring',
  },

  // ipo
  {
    name: 'ipo',
    signal: 'ipo',
    frame: 'subject',
    wants: ['exchange', 'money'],
    phrases:
      'ipo|initial public offering|go public|goes public|going public|went public|direct listing|public listing|public debut|market debut|stock market debut|debut on',
  },
  {
    name: 'listing',
    signal: 'ipo',
    frame: 'subject',
    needs: ['exchange'],
    phrases:
      'begin~ trading|begins trading|began trading|commence~ trading|commence trading|start~ trading|listing on|list~ on|lists on|listed on the|uplist|uplisting|uplists|uplisted|uplist to|approved for listing|approval to list|trading on|admission to trading|up listing|rings the|ring the',
  },
  {
    name: 'spac',
    signal: 'ipo',
    frame: 'either',
    wants: ['exchange', 'firm'],
    phrases: 'spac|business combination|special purpose acquisition|de spac|blank check',
  },
  {
    name: 'file_ipo',
    signal: 'ipo',
    frame: 'subject',
    phrases:
      'registration statement|form s 1|form f 1|s 1|f 1|files for|filed for|prices initial|pricing of its initial|closing of its initial|publicly traded company|public company|planned ipo|upcoming ipo|proposed ipo|nasdaq listing|nasdaq uplisting|nyse listing|listing',
  },

  // customer_win
  {
    name: 'selected_by',
    signal: 'customer_win',
    frame: 'passive',
    wants: ['contract', 'technology'],
    phrases:
      'selected by|chosen by|picked by|tapped by|engaged by|retained by|adopted by|deployed by|deployed at|been selected|been chosen|awarded by|implemented by|used by|purchased by|ordered by',
  },
  {
    name: 'win_contract',
    signal: 'customer_win',
    frame: 'subject',
    needs: ['contract'],
    wants: ['money'],
    phrases: 'win~|wins|won|award~|awarded|secure~|land~|receive~|sign~|signs|signed|clinches|bag~|bags',
  },
  {
    name: 'contract',
    signal: 'customer_win',
    frame: 'subject',
    wants: ['money'],
    phrases:
      'contract with|contract from|contract award|contract to|contract for|contracts with|purchase order|purchase orders|order from|orders from|supply contract|new contract|new customer|new client|first customer|new customers|first order|multi year contract|contract worth|contract valued|as a customer|as a client|purchase contract|task order|contract extension|contract renewal|renewal of|order for|new order|initial order|orders for|full order|repeat order|follow on order|delivers to|delivered to|framework agreement|tender|agency of record|new clients',
  },
  {
    name: 'serve_customer',
    signal: 'customer_win',
    frame: 'subject',
    needs: ['contract', 'technology', 'money'],
    wants: ['contract'],
    phrases:
      'deploy~|install~|deliver~|complete~|supply~|supplies|announces|extend~|renew~|renews|contract|contracts|delivery of|supply agreement|service agreement|book running manager|placement of|to supply|to provide|provide~|powers|powered',
  },
  {
    name: 'selects',
    signal: 'customer_win',
    frame: 'object',
    wants: ['technology', 'contract'],
    phrases:
      'select~|choose|chooses|chose|chosen|engages|engaged|picks|taps|hires|retains|retained|adopts|deploys|implements|opts for|turns to|goes with|installs|integrates|purchases|orders|signs with',
  },

  // technology_adoption
  {
    name: 'adopts',
    signal: 'technology_adoption',
    frame: 'subject',
    wants: ['technology'],
    phrases:
      'select~|choose|chooses|chose|adopt~|deploy~|migrate~ to|standardize~ on|standardise~ on|switch~ to|go~ live with|goes live with|gone live with|opts for|upgrade~ to|to deploy|adoption of|deployment of|implementation of|implement~',
  },
  {
    name: 'uses',
    signal: 'technology_adoption',
    frame: 'subject',
    wants: ['technology'],
    phrases:
      'roll~ out|transition~ to|moves to|integrate~|leverages|will use|engages|uses|will leverage|install~|expand~ use of',
  },
  {
    name: 'makes_use',
    signal: 'technology_adoption',
    frame: 'subject',
    needs: ['technology'],
    phrases:
      'use of|using|utilize~|utilise~|add~|accept~|partner~ with|signs|taps|launches on|available on|invest~ in|purchase~|leverage~|leveraging',
  },
  {
    name: 'powered_by',
    signal: 'technology_adoption',
    frame: 'passive',
    wants: ['technology'],
    phrases:
      'powered by|built on|built with|built using|running on|runs on|integration with|integrated with|integrates|integration of|live on',
  },
  {
    name: 'adopted_by',
    signal: 'technology_adoption',
    frame: 'agent',
    wants: ['technology', 'contract'],
    phrases: 'selected by|chosen by|adopted by|deployed by|deployed at|implemented by|used by|powers|powered',
  },

  // security_incident
  {
    name: 'breach',
    signal: 'security_incident',
    frame: 'either',
    wants: ['breach_verb'],
    phrases:
      'data breach|data breaches|security breach|data leak|cyberattack|cyber attack|cyberattacks|ransomware attack|ransomware|security incident|cybersecurity incident|cyber incident|hacked|hackers|hack|unauthorized access|unauthorised access|data security incident|breach of|breached|was breached|data theft|personal information was|unauthorized party|unauthorized third party|exploit|ddos attack|compromised|stolen data',
  },
]
