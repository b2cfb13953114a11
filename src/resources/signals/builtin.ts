/** What the service looks for out of the box. Every workspace has these and can switch each of them off. */
export const BUILTIN_SIGNALS = [
  ['funding', 'Funding', 'The company raised, closed or was granted capital.'],
  ['acquisition', 'Acquisition', 'The company acquires another, or is acquired.'],
  ['leadership_change', 'Leadership change', 'An executive joins, leaves or takes another role.'],
  ['hiring', 'Hiring', 'The company recruits, or announces new jobs.'],
  ['product_launch', 'Product launch', 'The company launches a product, a service or a major version.'],
  ['expansion', 'Expansion', 'The company opens an office, a plant or a market.'],
  ['partnership', 'Partnership', 'The company partners with another organisation.'],
  ['layoffs', 'Layoffs', 'The company cuts jobs or closes a site.'],
  ['ipo', 'IPO', 'The company goes public, or files to.'],
  ['customer_win', 'Customer win', 'The company won a named customer or a contract.'],
  ['technology_adoption', 'Technology adoption', 'The company adopts or migrates to a technology.'],
  ['security_incident', 'Security incident', 'The company suffered a breach, an attack or a leak.'],
].map(([id, name, description]) => ({ id, name, description, is_builtin: true })) as {
  id: string
  name: string
  description: string
  is_builtin: true
}[]
