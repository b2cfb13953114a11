// Further ways of saying it plainly, most of them from headlines and short news: who awards money to whom, who picks
// whom, which place or number makes a verb an event.
import type { TriggerGroup } from './lexicon.ts'

export const PLAIN_TRIGGERS: readonly TriggerGroup[] = [
  {
    name: 'award_money',
    signal: 'funding',
    frame: 'object',
    needs: ['money'],
    phrases: 'awarded|awards|grants|donated|donates|donation to|backs|poured into|put into|injects|round in|loan to',
  },
  {
    name: 'obtain_money',
    signal: 'funding',
    frame: 'subject',
    needs: ['money'],
    phrases:
      'pull~ in|brings in|term sheet|growth funding|donation|sbir award|sbir|attract~|lands|nabs|scoops|fresh capital',
  },
  {
    name: 'purchase_company',
    signal: 'acquisition',
    frame: 'either',
    phrases:
      'agreed to buy|agrees to buy|to purchase|agreed to purchase|be bought by|bought by|snaps up|snapped up|scoops up|scooped up|officially combined|combined with|combines with|transaction between|takes over|took over|take over',
  },
  {
    name: 'pick_up',
    signal: 'acquisition',
    frame: 'either',
    needs: ['deal_noun', 'money'],
    phrases: 'picks up|picked up|buying|buys|bought',
  },
  {
    name: 'elevate',
    signal: 'leadership_change',
    frame: 'person',
    phrases: 'elevated to|is elevated|reappointment of|reappoints|takes the helm|at the helm|succeeds|to succeed',
  },
  {
    name: 'tap_leader',
    signal: 'leadership_change',
    frame: 'subject',
    phrases:
      'to lead|as its new head|cfo resigns|ceo resigns|ceo steps down|ceo to step down|new ceo|new cfo|new cto|new chief',
  },
  {
    name: 'add_jobs',
    signal: 'hiring',
    frame: 'subject',
    needs: ['job_noun'],
    phrases: 'add~|bring~|grow~|double~|doubled its|expects to create|looking for|open~|fill~|job fair',
  },
  {
    name: 'rehire',
    signal: 'hiring',
    frame: 'subject',
    phrases:
      'rehiring|rehires|is recruiting|are recruiting|hiring spree|hiring drive|open positions|we are hiring|job fair',
  },
  {
    name: 'make_available',
    signal: 'product_launch',
    frame: 'subject',
    phrases:
      'ships|shipped|shipping|available to all|goes live|went live|go live|to market|addition of|enhancements|improvements|now supports|adds support|is offering|now offers|latest version|brings out',
  },
  {
    name: 'add_function',
    signal: 'product_launch',
    frame: 'subject',
    needs: ['product', 'technology'],
    phrases: 'adds|added|expand~ its|expands|enhances|upgrades|bring~',
  },
  {
    name: 'open_place',
    signal: 'expansion',
    frame: 'subject',
    needs: ['place', 'geo'],
    phrases:
      'opens|opened|open|opening|to open|will open|debuts|brings|start~|develop~|to develop|will develop|build~|to build|first',
  },
  {
    name: 'operate_in',
    signal: 'expansion',
    frame: 'subject',
    needs: ['geo'],
    phrases:
      'license to operate|licence to operate|license in|licence in|start~ flights|flights to|now delivers|first phase|entry into|enters|launch in|launches in|available in',
  },
  {
    name: 'start_production',
    signal: 'expansion',
    frame: 'subject',
    phrases:
      'start~ production|begin~ production|commence~ production|doubles production|doubles capacity|second plant|second location|larger offices|larger headquarters',
  },
  {
    name: 'distribute',
    signal: 'partnership',
    frame: 'either',
    phrases:
      'to distribute|authorised agent|authorized agent|reseller of|named reseller|relationship with|expands relationship|form joint venture|forms joint venture|manufacturing agreement|co marketing|marketing partner|partner program',
  },
  {
    name: 'jointly',
    signal: 'partnership',
    frame: 'either',
    needs: ['announce', 'product'],
    phrases: 'joint|jointly|together with|joint solution',
  },
  {
    name: 'lose_jobs',
    signal: 'layoffs',
    frame: 'subject',
    needs: ['job_noun'],
    phrases: 'jobs lost|loss of|lose their|closes|to shut|shuts|shutting|to close|reduction in|redundant',
  },
  {
    name: 'list_shares',
    signal: 'ipo',
    frame: 'subject',
    needs: ['exchange', 'geo'],
    phrases:
      'to list in|to list on|lists in|shares commenced|trading commenced|commenced today|stock exchange debut|nasdaq bell|nasdaq debut',
  },
  {
    name: 'win_project',
    signal: 'customer_win',
    frame: 'subject',
    needs: ['contract'],
    phrases: 'wins|won|has won|win|secures|secured|lands|signs|signed|awarded|delivers|completes',
  },
  {
    name: 'used_by_customer',
    signal: 'customer_win',
    frame: 'object',
    phrases:
      'goes live with|live with|turns to|will use|picks|using|rollout of|order with|orders from|joins|to implement|implement~|adopts|deal to run',
  },
  {
    name: 'moves_to',
    signal: 'technology_adoption',
    frame: 'subject',
    wants: ['technology'],
    phrases:
      'moving to|moves to|moved to|migrated|migrates|migrating|turns to|picks|taps|signed a deal to run|becomes first to implement|goes live with|will integrate|integrates|runs on',
  },
]
