import type { Vendor } from '../types.ts'
import { json } from './boards.ts'

/** https://blog.gdeltproject.org/gdelt-doc-2-0-api-debuts/. Errors are plain sentences with status 200. */
export const gdelt: Vendor = {
  name: 'gdelt',
  hosts: ['api.gdeltproject.org'],
  answer({ url }, { stories, today }) {
    const query = url.searchParams.get('query') ?? ''
    const phrases = [...query.matchAll(/"([^"]+)"/g)].map(([, phrase]) => (phrase as string).toLowerCase())
    const days = Number(/^(\d+)d$/.exec(url.searchParams.get('timespan') ?? '')?.[1])
    if (!days) return sentence('Timespan is not valid.')
    if (phrases.length === 0) return sentence('Your query was too short or too long.')
    if (phrases.some((phrase) => phrase.length < 3)) return sentence('The specified phrase is too short.')
    const since = new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10)
    const articles = stories
      .filter(({ title, published }) => {
        return published >= since && phrases.some((phrase) => title.toLowerCase().includes(phrase))
      })
      .sort((a, b) => b.published.localeCompare(a.published))
      .slice(0, Number(url.searchParams.get('maxrecords') ?? 75))
      .map(({ url, title, published }) => ({
        url,
        url_mobile: '',
        // Headlines have spaces around their punctuation.
        title: title.replaceAll(/([,.:;])(?= |$)/g, ' $1').replaceAll(/([$€£])(?=\d)/g, '$1 '),
        seendate: `${published.replaceAll('-', '')}T090000Z`,
        socialimage: '',
        domain: new URL(url).hostname,
        language: 'English',
        sourcecountry: 'United States',
      }))
    return json(200, articles.length > 0 ? { articles } : {})
  },
}

function sentence(text: string) {
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: `${text}\n` }
}
