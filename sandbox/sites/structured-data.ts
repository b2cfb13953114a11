import type { SandboxPosting } from '../types.ts'
import type { Article, Person, SiteCompany } from '../world/types.ts'
import { urlOf } from './pages.ts'

const CONTEXT = 'https://schema.org'

export function organization(company: SiteCompany): object {
  const { name, domain, description, employees, founded_year, city, country_code } = company
  return {
    '@context': CONTEXT,
    '@type': 'Organization',
    name,
    url: urlOf(company, '/'),
    logo: urlOf(company, '/assets/logo.svg'),
    description,
    foundingDate: String(founded_year),
    numberOfEmployees: { '@type': 'QuantitativeValue', value: employees },
    address: { '@type': 'PostalAddress', addressLocality: city, addressCountry: country_code },
    sameAs: [`https://www.linkedin.com/company/sbx-${domain.split('.')[0]}`],
  }
}

export function newsArticle(company: SiteCompany, { title, published, modified, path, section }: Article): object {
  return {
    '@context': CONTEXT,
    '@type': section === 'blog' ? 'BlogPosting' : 'NewsArticle',
    headline: title,
    datePublished: `${published}T08:15:00Z`,
    dateModified: modified.toISOString(),
    mainEntityOfPage: urlOf(company, path),
    publisher: { '@type': 'Organization', name: company.name },
  }
}

export function jobPosting(company: SiteCompany, posting: SandboxPosting): object {
  return {
    '@context': CONTEXT,
    '@type': 'JobPosting',
    title: posting.title,
    description: posting.text,
    datePosted: posting.published,
    employmentType: 'FULL_TIME',
    hiringOrganization: { '@type': 'Organization', name: company.name, sameAs: urlOf(company, '/') },
    jobLocation: {
      '@type': 'Place',
      address: { '@type': 'PostalAddress', addressLocality: posting.city, addressCountry: posting.country_code },
    },
  }
}

export function person(company: SiteCompany, { shown_as, title, email, phone, network_url }: Person): object {
  return {
    '@context': CONTEXT,
    '@type': 'Person',
    name: shown_as,
    jobTitle: title,
    worksFor: { '@type': 'Organization', name: company.name },
    ...(email && { email: `mailto:${email}` }),
    ...(phone && { telephone: phone }),
    ...(network_url && { sameAs: network_url }),
  }
}
