import { useState } from 'react'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import type { Named } from './block-business.ts'

const BlockForBusinessDialog = lazyDialog(async () => (await import('./block-for-business-dialog.tsx')).BlockForBusinessDialog)

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
