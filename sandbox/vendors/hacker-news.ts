import type { Vendor } from '../types.ts'
import { json } from './boards.ts'

/** https://hn.algolia.com/api */
export const hackerNews: Vendor = {
  name: 'hacker-news',
  hosts: ['hn.algolia.com'],
  answer({ url }, { stories }) {
    if (url.pathname !== '/api/v1/search_by_date') return json(404, { message: 'Not Found' })
    const words = (url.searchParams.get('query') ?? '').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    const since = Number(/created_at_i>(\d+)/.exec(url.searchParams.get('numericFilters') ?? '')?.[1] ?? 0)
    const hitsPerPage = Number(url.searchParams.get('hitsPerPage') ?? 20)
    const hits = stories
      .map((story) => ({ story, seconds: Date.parse(`${story.published}T09:00:00Z`) / 1000 }))
      .filter(({ story, seconds }) => {
        const title = story.title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
        return seconds > since && words.every((word) => title.some((other) => other.startsWith(word)))
      })
      .sort((a, b) => b.seconds - a.seconds)
      .map(({ story, seconds }) => ({
        objectID: story.id,
        title: story.title,
        url: story.url,
        author: 'reader',
        points: story.points,
        num_comments: 0,
        story_text: null,
        created_at: new Date(seconds * 1000).toISOString(),
        created_at_i: seconds,
        _tags: ['story', 'author_reader', `story_${story.id}`],
      }))
    const nbPages = Math.ceil(hits.length / hitsPerPage)
    return json(200, { hits: hits.slice(0, hitsPerPage), nbHits: hits.length, page: 0, nbPages, hitsPerPage })
  },
}
