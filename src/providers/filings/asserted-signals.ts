import { lookupTable } from '../../engine/text/lookup-table.ts'
import type { AssertedSignal } from '../types.ts'
import type { Filing } from './forms.ts'

type Kind = { signal_id: string; says: string; except?: RegExp }

/**
 * Items of a current report that cover exactly one kind of event. Agreements (1.01), officers and directors (5.02) and
 * other events (8.01) are excluded because their text decides. A registration (S-1, F-1) is excluded because shell
 * companies, selling shareholders and listed companies file it, too.
 */
const BY_ITEM = lookupTable<Kind>({
  '1.05': { signal_id: 'security_incident', says: 'reported a material cybersecurity incident to the regulator' },
  '2.01': {
    signal_id: 'acquisition',
    says: 'reported to the regulator that it completed an acquisition or disposal of assets',
    // Real estate companies, real estate trusts and oil producers, which buy and sell property all the time.
    except: /^(?:65\d\d|6798|1311)$/,
  },
  '2.05': {
    signal_id: 'layoffs',
    says: 'reported to the regulator costs of exit or disposal activities, such as ending jobs or closing sites',
  },
})

/** The signals that the form of a filing proves. Amendments repeat or revoke an earlier filing and prove none. */
export function signalsAssertedByFiling({
  form,
  items,
  company,
  industry,
}: Omit<Filing, 'cik' | 'accession' | 'document'>): AssertedSignal[] {
  if (form !== '8-K') return []
  return items.flatMap((item) => {
    const kind = BY_ITEM[item]
    if (!kind || kind.except?.test(industry ?? '')) return []
    return [{ signal_id: kind.signal_id, claim: `${company} ${kind.says} (Form 8-K, item ${item}).` }]
  })
}
