import { ActionIcon, Button, Menu } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Ban, Ellipsis, Pencil, Power, RefreshCw, ScanSearch, Send, Sparkles, Trash2, Undo2 } from 'lucide-react'
import { useActivations } from '../../api/activations.ts'
import { useRights } from '../../api/me.ts'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { pluralize } from '../../lib/format.ts'
import { type AccountRecord, useAccountActions, useAccountRuns, useAccountSearch } from './use-account.ts'

/** The actions of the account. Actions without permission are hidden. */
export function Actions({ account }: { account: AccountRecord }) {
  const { write, owns, activates } = useRights()
  const [, go] = useAccountSearch()
  const { scan, activate, deactivate, reject, suggestAgain } = useAccountActions(account)
  const runs = useAccountRuns(account.id)
  const enrich = useEnrich(account)
  const { usedUp } = useActivations()
  if (!write) return null
  const isTheirs = owns(account.owner_id)
  const { status } = account
  const canActivate = status !== 'active' && status !== 'rejected' && activates(account.owner_id)
  const isScanning = scan.isPending || (runs.data?.data.some((run) => run.status === 'running') ?? false)
  const icon = { size: 15, 'aria-hidden': true } as const
  return (
    <>
      {isTheirs && (
        <Button
          variant="default"
          leftSection={<ScanSearch {...icon} />}
          loading={isScanning}
          onClick={() => scan.mutate()}
        >
          Scan
        </Button>
      )}
      <Button variant="default" leftSection={<Send {...icon} />} onClick={() => go({ open: 'push' })}>
        Push
      </Button>
      {(isTheirs || canActivate) && (
        <Menu position="bottom-end" shadow="md" width={220}>
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label="More actions" loading={enrich.isPending}>
              <Ellipsis size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {isTheirs && (
              <Menu.Item leftSection={<Pencil {...icon} />} onClick={() => go({ open: 'edit' })}>
                Edit details
              </Menu.Item>
            )}
            {status === 'active' && isTheirs && (
              <Menu.Item leftSection={<Sparkles {...icon} />} onClick={() => enrich.mutate()}>
                Refresh details
              </Menu.Item>
            )}
            {canActivate && (
              <Menu.Item
                leftSection={<Power {...icon} />}
                disabled={usedUp !== undefined}
                onClick={() => activate.mutate()}
              >
                Activate
              </Menu.Item>
            )}
            {(status === 'rejected' || status === 'unqualified') && isTheirs && (
              <Menu.Item leftSection={<Undo2 {...icon} />} onClick={() => suggestAgain.mutate()}>
                Suggest again
              </Menu.Item>
            )}
            {isTheirs && (
              <>
                <Menu.Divider />
                {status === 'active' ? (
                  <Menu.Item leftSection={<RefreshCw {...icon} />} onClick={() => deactivate.mutate()}>
                    Deactivate
                  </Menu.Item>
                ) : (
                  status !== 'rejected' && (
                    <Menu.Item leftSection={<Ban {...icon} />} onClick={() => reject.mutate()}>
                      Reject
                    </Menu.Item>
                  )
                )}
                <Menu.Item color="red" leftSection={<Trash2 {...icon} />} onClick={() => go({ open: 'delete' })}>
                  Delete
                </Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  )
}

/** Refreshes the company details and reports failed sources. */
function useEnrich(account: AccountRecord) {
  const { call, refresh } = useAccountActions(account)
  return useMutation({
    mutationFn: call.enrich,
    onSuccess: async ({ data }) => {
      await refresh()
      const problems = data?.data.problems ?? []
      if (problems.length === 0) return toastSuccess('Details updated')
      const reasons = problems.map(({ source, message }) => `${source}: ${message}`).join(' ')
      toastError(`${pluralize(problems.length, 'source')} failed`, new Error(reasons))
    },
    onError: (error) => toastError('Refresh failed', error),
  })
}
