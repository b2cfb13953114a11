// Classifies headlines by the step of an event, the kind of money and the office. English only.

const STEPS: readonly (readonly [string, RegExp])[] = [
  [
    'undone',
    /\b(?:cancels?|cancelled|annuls?|annulled|withdraws|withdrawn|shelves|shelved|pulls|pulled|calls? off|called off|abandons|terminates|suspends|halts|scraps|postpones?|postponed|delays?|extends (?:\w+ )?(?:offer|deadline|period)|recalled|recalls|sues|lawsuit|class action|fines|fined|penalty|arrest|back to normal)\b/i,
  ],
  [
    'done',
    /\b(?:completes?|completed|completion|finishes|finished|goes live|opened|first day|debuts?|prices|priced)\b/i,
  ],
  [
    'planned',
    /\b(?:in talks|plans|intends|intention|eyes|considers|agrees to|lodges|files|search|seeks|to (?:build|buy|acquire|open|list|float|pilot|sell))\b/i,
  ],
]

/** The step of an event according to its headline; null where it is not stated. */
export function findEventStep(headline: string): string | null {
  return STEPS.find(([, words]) => words.test(headline))?.[0] ?? null
}

const MONEY = {
  grant: /\b(?:grants?|granted|subsid(?:y|ies)|public (?:money|support|funds))\b/i,
  debt: /\b(?:loans?|lends|lent|credit (?:facility|line)|bonds?|debt|convertible|venture lending)\b/i,
  equity: /\b(?:equity|seed|series [a-h]|angels?|rights issue|private round|venture capital)\b/i,
}

/** The kinds of money in a text, and the letter of a round: a grant is not a round, a Series A is not a Series B. */
export function findMoneyKinds(text: string): { kinds: string[]; round: string | null } {
  return {
    kinds: Object.entries(MONEY).flatMap(([kind, words]) => (words.test(text) ? [kind] : [])),
    round: /\b(pre-seed|seed|series [a-h])\b/i.exec(text)?.[1]?.toLowerCase() ?? null,
  }
}

const OFFICE_PATTERN =
  /\b(?:chief (\w+)(?: (\w+))? officer|c([a-z]{1,3})o|(president)|(chair)(?:man|woman|person)?|general (counsel)|(treasurer)|(head|vice president|vp) of ([a-z]+))\b/gi

/** The offices that a text names, each by its initials: the chief financial officer is the CFO. */
export function findOffices(text: string): string[] {
  const found = [...text.matchAll(OFFICE_PATTERN)].map(([, chief, second = '', letters, ...others]) => {
    if (letters) return letters.toLowerCase()
    if (chief) return `${chief[0]}${second[0] ?? ''}`.toLowerCase()
    return others.filter(Boolean).join(' ').toLowerCase()
  })
  return [...new Set(found)]
}
