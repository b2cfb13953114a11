// What an event means for a department: the end of "you are probably thinking about …".
import { findBuiltinSignal } from '../signals/index.ts'
import type { Department } from '../titles/index.ts'
import type { EventKind } from './event.ts'

type Areas = Partial<Record<Department, string>> & { Other: string }

const AREAS: Readonly<Record<'growth' | 'market' | 'change', Areas>> = {
  growth: {
    Executive: 'deciding what comes first',
    Sales: 'turning it into revenue',
    Marketing: 'telling the market about it',
    'Customer Success': 'keeping service steady along the way',
    Product: 'deciding what gets built next',
    Engineering: 'making sure that the systems keep up',
    Data: 'keeping the figures reliable along the way',
    IT: 'making sure that the systems keep up',
    Security: 'keeping everything secure along the way',
    Finance: 'getting plans and figures in order',
    Legal: 'getting the paperwork right',
    People: 'finding and settling in the right people',
    Operations: 'making it work day to day',
    'Supply Chain': 'keeping goods moving along the way',
    Other: 'making it work in practice',
  },
  market: {
    Executive: 'making the most of it',
    Sales: 'turning it into new business',
    Marketing: 'getting the word out',
    'Customer Success': 'making it work for customers',
    Product: 'deciding what comes next',
    Engineering: 'keeping the systems behind it running',
    Data: 'measuring how it does',
    IT: 'keeping the systems behind it running',
    Security: 'keeping it secure',
    Finance: 'making the numbers work',
    Legal: 'getting the contracts right',
    People: 'finding the people to deliver it',
    Operations: 'delivering on it day to day',
    'Supply Chain': 'delivering on time',
    Other: 'delivering on it',
  },
  change: {
    Executive: 'setting the course from here',
    Sales: 'keeping customers close during the change',
    Marketing: 'explaining the change to the market',
    'Customer Success': 'keeping customers happy during the change',
    Product: 'deciding what stays and what changes',
    Engineering: 'keeping the systems in step',
    Data: 'keeping the data in step',
    IT: 'keeping the systems in step',
    Security: 'keeping everything secure during the change',
    Finance: 'keeping the figures in step',
    Legal: 'getting the paperwork right',
    People: 'keeping everyone on board',
    Operations: 'keeping the work going during the change',
    'Supply Chain': 'keeping goods moving during the change',
    Other: 'keeping things running during the change',
  },
}

/** Null where a guess about the reader's work would be inappropriate. */
export function findWorkArea(kind: EventKind, signalId: string | null, department: Department): string | null {
  if (kind === 'hardship' || kind === 'other') return null
  const own = findBuiltinSignal(signalId ?? '')?.draft.areas
  const shared = AREAS[kind]
  return own?.[department] ?? own?.rest ?? shared[department] ?? own?.Other ?? shared.Other
}
