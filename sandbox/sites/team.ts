import { slugOf } from '../world/people.ts'
import type { Person, SiteCompany, TeamMarkup } from '../world/types.ts'
import { escapeHtml } from './html.ts'

type Draw = (people: readonly Person[], company: SiteCompany) => string

const mail = ({ email }: Person, label = email ?? ''): string =>
  email ? `<a href="mailto:${email}">${escapeHtml(label)}</a>` : ''
const call = ({ phone }: Person): string =>
  phone ? `<a href="tel:${phone.replace(/[^+\d]/g, '')}">${escapeHtml(phone)}</a>` : ''
const profile = ({ network_url }: Person, label = 'LinkedIn'): string =>
  network_url ? `<a href="${network_url}" rel="noopener">${label}</a>` : ''
const name = ({ shown_as }: Person): string => escapeHtml(shown_as)
const title = (person: Person): string => escapeHtml(person.title)
const contacts = (person: Person): string => [mail(person), call(person), profile(person)].filter(Boolean).join(' ')
const initials = ({ full_name }: Person): string =>
  full_name
    .split(' ')
    .map((word) => word[0])
    .join('')

const each =
  (draw: (person: Person, index: number) => string, before = '', after = ''): Draw =>
  (people) =>
    `${before}${people.map(draw).join('\n')}${after}`

/** Fourteen common formats of team pages for the same people. */
const TEAMS: Readonly<Record<TeamMarkup, Draw>> = {
  cards: each(
    (
      person,
    ) => `<div class="col-md-4"><div class="card h-100"><img class="card-img-top" src="/assets/people/${slugOf(person.full_name)}.jpg" alt="${name(person)}">
<div class="card-body"><h5 class="card-title">${name(person)}</h5><p class="card-text text-muted">${title(person)}</p>${contacts(person)}</div></div></div>`,
    '<div class="row">',
    '</div>',
  ),
  // The page shows names and pictures only; titles are in the structured data.
  'json-ld': each(
    (person) =>
      `<li class="portrait"><img src="/assets/people/${slugOf(person.full_name)}.webp" alt="${name(person)}, ${title(person)}"><span>${name(person)}</span></li>`,
    '<ul class="portraits">',
    '</ul>',
  ),
  microdata: each(
    (
      person,
    ) => `<div itemscope itemtype="https://schema.org/Person" class="member"><span itemprop="name">${name(person)}</span>
<span itemprop="jobTitle">${title(person)}</span>
${person.email ? `<a itemprop="email" href="mailto:${person.email}">${person.email}</a>` : ''}
${person.network_url ? `<a itemprop="sameAs" href="${person.network_url}">Profile</a>` : ''}</div>`,
  ),
  'h-card': each(
    (person) =>
      `<div class="h-card"><span class="p-name">${name(person)}</span> <span class="p-job-title">${title(person)}</span>${
        person.email ? ` <a class="u-email" href="mailto:${person.email}">write</a>` : ''
      }${person.network_url ? ` <a class="u-url" href="${person.network_url}">in</a>` : ''}</div>`,
  ),
  table: each(
    (person) =>
      `<tr><td>${name(person)}</td><td>${title(person)}</td><td>${[mail(person), call(person)].filter(Boolean).join('<br>') || '&nbsp;'}</td></tr>`,
    '<table border="1" cellpadding="5"><tr><th>Name</th><th>Position</th><th>Contact</th></tr>\n',
    '</table>',
  ),
  definitions: each(
    (person) => `<dt>${name(person)}</dt><dd>${title(person)}${contacts(person) ? ` (${contacts(person)})` : ''}</dd>`,
    '<dl class="management">',
    '</dl>',
  ),
  headings: each(
    (person) => `<h3>${name(person)}</h3>
<p><em>${title(person)}</em></p>
<p>${biography(person)} ${contacts(person)}</p>`,
  ),
  figures: each(
    (person) =>
      `<figure><img src="/assets/people/${slugOf(person.full_name)}.jpg" alt=""><figcaption><strong>${name(person)}</strong><br>${title(person)}<br>${contacts(person)}</figcaption></figure>`,
    '<div class="gallery">',
    '</div>',
  ),
  soup: each(
    (person, i) =>
      `<div class="x7a"><div class="x7b" style="background-image:url(/a/${i}.jpg)"></div><div class="x7c"><div class="x7d">${name(person)}</div><div class="x7e">${title(person)}</div><div class="x7f">${contacts(person)}</div></div></div>`,
    '<div class="x70">',
    '</div>',
  ),
  list: each((person) => `<li>${name(person)} – ${title(person)} ${contacts(person)}</li>`, '<ul>', '</ul>'),
  // Obfuscated against address harvesters.
  bold: each(
    (person) =>
      `<p><b>${name(person)}</b>, ${title(person)}${person.email ? `, ${person.email.replace('@', ' [at] ')}` : ''}${person.phone ? `, tel. ${person.phone}` : ''} ${profile(person)}</p>`,
  ),
  elementor: each(
    (
      person,
      i,
    ) => `<div class="elementor-column elementor-col-33" data-id="${(i + 11).toString(16)}c4"><div class="elementor-widget-wrap"><div class="elementor-element elementor-widget elementor-widget-image-box"><div class="elementor-image-box-wrapper"><figure class="elementor-image-box-img"><img loading="lazy" src="/wp-content/uploads/${slugOf(person.full_name)}-300x300.jpg" alt=""></figure><div class="elementor-image-box-content"><h3 class="elementor-image-box-title">${name(person)}</h3><p class="elementor-image-box-description">${title(person)}</p></div></div></div>
${
  contacts(person)
    ? `<div class="elementor-social-icons-wrapper">${mail(person, 'Email')} ${call(person)} ${profile(person, '<span class="elementor-screen-only">Linkedin</span>')}</div>`
    : ''
}</div></div>`,
    '<section class="elementor-section"><div class="elementor-container">',
    '</div></section>',
  ),
  'title-first': each(
    (person) =>
      `<div class="officer"><div class="role">${title(person)}</div><div class="who">${name(person)}</div>${contacts(person)}</div>`,
  ),
  profiles: each(
    (person) =>
      `<a class="person" href="${profilePath(person)}"><span class="avatar">${initials(person)}</span><span class="person-name">${name(person)}</span><span class="person-role">${title(person)}</span></a>`,
    '<div class="people-grid">',
    '</div>',
  ),
}

export const teamOf = (company: SiteCompany): string => TEAMS[company.site.team](company.people, company)

/** Only the `profiles` markup has a page per person. */
export const profilePath = ({ full_name }: Person): string => `/people/${slugOf(full_name)}`

export const profileOf = (person: Person): string => `<h1>${name(person)}</h1>
<p class="role">${title(person)}</p>
<p>${biography(person)}</p>
<p>${contacts(person)}</p>`

/** Sentences without news: a profile reports no event. */
function biography({ full_name }: Person): string {
  const likes = [
    'long bicycle tours',
    'old maps',
    'choir music',
    'baking bread',
    'sailing in bad weather',
    'chess by mail',
  ]
  return `${escapeHtml(full_name)} knows the trade from the ground up and is fond of ${likes[full_name.length % likes.length]}.`
}
