/** What the built-in signals are called in a sentence. */
const LABELS: Record<string, string> = {
  funding: 'New funding',
  acquisition: 'Acquisition',
  leadership_change: 'Leadership change',
  hiring: 'Hiring',
  product_launch: 'Product launch',
  expansion: 'Expansion',
  partnership: 'Partnership',
  layoffs: 'Layoffs',
  ipo: 'Public offering',
  customer_win: 'Customer win',
  technology_adoption: 'Technology adoption',
  security_incident: 'Security incident',
}

/** A signal's name; one that is not built in is spelled from its id. */
export function labelOf(signalId: string): string {
  const spelled = signalId.replaceAll(/[_-]+/g, ' ').trim()
  return LABELS[signalId] ?? spelled.charAt(0).toUpperCase() + spelled.slice(1)
}
