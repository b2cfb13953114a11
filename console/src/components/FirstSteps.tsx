import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Building2, Inbox, Radar } from 'lucide-react'
import type { ReactNode } from 'react'
import { queries } from '../api/client.ts'
import { useRights } from '../api/me.ts'
import { EmptyState, Loading } from './states.tsx'

const ONE = { params: { query: { per_page: 1 } } } as const
const ONE_ACTIVE = { params: { query: { per_page: 1, status: 'active' } } } as const

/** What to do before there is anything to show: add accounts, activate some, wait for the first scan. Then the children. */
export function FirstSteps({ children }: { children?: ReactNode }) {
  const { write } = useRights()
  const all = queries.useQuery('get', '/v1/accounts', ONE)
  const active = queries.useQuery('get', '/v1/accounts', ONE_ACTIVE)
  const found = queries.useQuery('get', '/v1/detections', ONE)
  if (all.isPending || active.isPending || found.isPending) return <Loading />
  if ((all.data?.pagination.total ?? 0) === 0) {
    return (
      <EmptyState
        icon={Building2}
        title="No accounts yet"
        action={
          write && (
            <Button component={Link} to="/start" mt="sm">
              Set up Bellwether
            </Button>
          )
        }
      >
        Bellwether tracks funding, hiring, expansion and other signals at your accounts and shows them here with
        sources.
      </EmptyState>
    )
  }
  if ((active.data?.pagination.total ?? 0) === 0) {
    return (
      <EmptyState
        icon={Inbox}
        title="No active accounts"
        action={
          <Button component={Link} to="/suggested" mt="sm">
            Review suggestions
          </Button>
        }
      >
        Activate accounts to monitor them. New findings appear here.
      </EmptyState>
    )
  }
  if ((found.data?.pagination.total ?? 0) > 0) return children
  return (
    <EmptyState
      icon={Radar}
      title="No findings yet"
      action={
        <Button component={Link} to="/accounts" variant="default" mt="sm">
          View accounts
        </Button>
      }
    >
      New findings appear here. The first scan takes a few minutes; after that, websites are checked daily and news
      weekly.
    </EmptyState>
  )
}
