import { Link } from '@tanstack/react-router'
import { queries } from '../../api/client.ts'
import { PageLink } from '../../components/links.tsx'
import { RelativeDay } from '../../components/time.tsx'
import { formatNumber } from '../../lib/format.ts'
import classes from './SuggestedCompanies.module.css'
import { Source } from './WorkCard.tsx'

const SHOWN = 5

/** The most urgent suggested accounts, below the queue. Hidden if there are none. */
export function SuggestedCompanies() {
  const { data } = queries.useQuery(
    'get',
    '/v1/work-items',
    { params: { query: { view: 'suggested', per_page: SHOWN } } },
    { staleTime: 60_000 },
  )
  if (!data || data.data.length === 0) return null
  return (
    <section aria-labelledby="suggested">
      <div className={classes.top}>
        <h2 className={classes.title} id="suggested">
          Suggested companies
        </h2>
        <PageLink to="/suggested" size="sm">
          Review all {formatNumber(data.pagination.total)}
        </PageLink>
      </div>
      <ul className={classes.list}>
        {data.data.map(({ id, account, events: [lead], act_now }) => (
          <li key={id} className={classes.company}>
            <div className={classes.about}>
              <Link to="/suggested" search={{ id: account.id }} className={classes.name}>
                {account.name}
              </Link>
              {lead && (
                <p className={classes.why}>
                  {lead.headline}{' '}
                  <span className={classes.meta}>
                    <RelativeDay on={lead.happened_on} /> · <Source event={lead} />
                  </span>
                </p>
              )}
            </div>
            <span className={classes.score} title="Urgency out of 100">
              {act_now}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
