import { useState } from 'react'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import type { Named } from './use-block-for-business.ts'

const BlockForBusinessDialog = lazyDialog(async () => (await import('./block-for-business-dialog.tsx')).BlockForBusinessDialog)

/** The dialog that asks first, for menus that are in every row of a list: its code is fetched when it is first opened. */
export function useBlockDialog(business: Named | null, person: Named | null) {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  const dialog = state !== 'never' && business && person && (
    <BlockForBusinessDialog
      business={business}
      person={person}
      open={state === 'open'}
      onOpenChange={(open) => setState(open ? 'open' : 'closed')}
    />
  )
  return { dialog, open: () => setState('open') }
}
