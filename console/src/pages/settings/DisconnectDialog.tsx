import { Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/Confirm.tsx'
import { toastSuccess } from '../../components/toast.tsx'

type Props = {
  provider: Schemas['CrmSync']['provider']
  label: string
  /** Otherwise only its records are still there. */
  isConnected: boolean
  onClose: () => void
  onDone: () => Promise<unknown>
}

/** Disconnects a CRM, and asks what to do with the records that were read from it. */
export function DisconnectDialog({ provider, label, isConnected, onClose, onDone }: Props) {
  const [records, setRecords] = useState<'keep' | 'remove'>(isConnected ? 'keep' : 'remove')
  return (
    <ConfirmDialog
      title={isConnected ? `Disconnect ${label}?` : `Remove the records of ${label}?`}
      action={isConnected ? 'Disconnect' : 'Remove records'}
      onClose={onClose}
      onConfirm={async () => {
        await api.DELETE('/v1/connections/{provider}', { params: { path: { provider }, query: { records } } })
        await onDone()
        toastSuccess(isConnected ? `${label} disconnected` : 'Records removed')
      }}
    >
      {isConnected ? (
        <Stack gap="sm">
          <span>
            Running pushes to {label} are canceled and the token is deleted. Data in {label} is not deleted.
          </span>
          <Radio.Group
            label={`Records read from ${label}`}
            value={records}
            onChange={(value) => setRecords(value as 'keep' | 'remove')}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="keep" label="Keep" description="Deals, relationships and contacts stay as they are now." />
              <Radio
                value="remove"
                label="Remove"
                description="Also people and values that only the CRM provided. Accounts stay."
              />
            </Stack>
          </Radio.Group>
        </Stack>
      ) : (
        'Deals, relationships, and people and values that only the CRM provided are removed. Accounts stay.'
      )}
    </ConfirmDialog>
  )
}
