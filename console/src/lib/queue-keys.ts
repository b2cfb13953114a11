/** The keys of Today, for the page and for the list of shortcuts. */
export const QUEUE_KEYS: readonly (readonly [keys: string[], what: string])[] = [
  [['j', 'k'], 'Next and previous account'],
  [['o'], 'Open account'],
  [['e'], 'Email, or copy the draft'],
  [['p'], 'Push to CRM'],
  [['s'], 'Snooze'],
  [['d'], 'Done'],
  [['n'], 'Not relevant'],
  [['x'], 'Wrong'],
  [['u'], 'Undo'],
]
