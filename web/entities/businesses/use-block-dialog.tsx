import { useState } from 'react'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import type { Named } from './block-business.ts'

const BlockForBusinessDialog = lazyDialog(async () => (await import('./block-for-business-dialog.tsx')).BlockForBusinessDialog)

/** Confirmation dialog for row menus. Loads its code when first opened. */
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
