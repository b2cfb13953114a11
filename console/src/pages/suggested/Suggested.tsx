import { Button, Kbd, Select } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Inbox } from 'lucide-react'
import { useEffect } from 'react'
import { useActivations } from '../../api/activations.ts'
import { useRights } from '../../api/me.ts'
import { Page } from '../../components/Page.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeDay } from '../../components/time.tsx'
import { formatNumber, pluralize } from '../../lib/format.ts'
import { usePageShortcuts } from '../../lib/keyboard.ts'
import { Suggestion } from './Suggestion.tsx'
import classes from './suggested.module.css'
import { useTriage } from './use-triage.ts'

const route = getRouteApi('/app/suggested')
const SORTS = [
  { value: 'score', label: 'Highest score' },
  { value: 'last_signal_at', label: 'Newest signal' },
  { value: 'created_at', label: 'Recently added' },
] as const

/** An inbox of suggested accounts to activate or reject, with keyboard shortcuts. */
export function Suggested() {
  const { id, sort = 'score' } = route.useSearch()
  const navigate = route.useNavigate()
  const go = useNavigate()
  const { write, owns, activates } = useRights()
  const show = (id: string | undefined) => navigate({ search: (before) => ({ ...before, id }), replace: true })
  const triage = useTriage(sort, id, show)
  const { list, waiting, total, at, current } = triage
  const { usedUp } = useActivations()
  const canActivate = current !== undefined && !usedUp && activates(current.owner_id)
  const canReject = current !== undefined && owns(current.owner_id)
  usePageShortcuts({
    j: () => triage.move(1),
    k: () => triage.move(-1),
    ...(canActivate && { a: () => triage.decide('activate') }),
    ...(write && { u: () => triage.undo() }),
    ...(canReject && { r: () => triage.decide('reject') }),
    o: () => current && go({ to: '/accounts/$id', params: { id: current.id } }),
  })
  useEffect(() => {
    document.getElementById(`suggestion-${current?.id}`)?.scrollIntoView({ block: 'nearest' })
  }, [current?.id])

  return (
    <Page
      title="Suggested"
      wide
      lead={
        total > 0
          ? `${pluralize(total, 'company', 'companies')} to review`
          : 'Companies that match your ideal customer profile'
      }
      actions={
        total > 0 && (
          <Select
            aria-label="Sort by"
            data={SORTS.map((one) => ({ ...one }))}
            value={sort}
            allowDeselect={false}
            onChange={(value) => navigate({ search: { sort: SORTS.find((one) => one.value === value)?.value } })}
            w={180}
          />
        )
      }
    >
      {list.isPending ? (
        <Loading lines={10} />
      ) : list.isError ? (
        <ErrorMessage error={list.error} retry={list.refetch} />
      ) : !current ? (
        <EmptyState
          icon={Inbox}
          title="You’re all caught up"
          action={
            <Button component={Link} to="/discover" mt="xs">
              Discover companies
            </Button>
          }
        >
          New suggestions from Discover appear here.
        </EmptyState>
      ) : (
        <div className={classes.inbox}>
          <nav aria-label="Suggestions" className={classes.list}>
            <ol>
              {waiting.map(({ id, name, domain, score, latest_finding: latest }) => (
                <li key={id}>
                  <button
                    type="button"
                    id={`suggestion-${id}`}
                    aria-current={id === current.id ? 'true' : undefined}
                    onClick={() => show(id)}
                  >
                    <span className={classes.who}>
                      <b>{name}</b>
                      <small>{domain ?? 'No domain'}</small>
                      {latest && (
                        <small className={classes.what}>
                          {latest.headline} · <RelativeDay on={latest.detected_at} />
                        </small>
                      )}
                    </span>
                    <span className={classes.score}>{score}</span>
                  </button>
                </li>
              ))}
            </ol>
            <p className={classes.keys}>
              <Kbd size="xs">j</Kbd> <Kbd size="xs">k</Kbd> move
              {canActivate && <Key name="a">activate</Key>}
              {canReject && <Key name="r">reject</Key>}
              <Key name="o">open</Key>
              {write && <Key name="u">undo</Key>}
            </p>
          </nav>
          <Suggestion
            key={current.id}
            account={current}
            place={`${at + 1} of ${formatNumber(total)}`}
            triage={triage}
          />
        </div>
      )}
    </Page>
  )
}

function Key({ name, children }: { name: string; children: string }) {
  return (
    <>
      {' · '}
      <span className={classes.key}>
        <Kbd size="xs">{name}</Kbd> {children}
      </span>
    </>
  )
}
