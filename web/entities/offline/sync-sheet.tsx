import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { PendingEntries } from './pending-entry.tsx'
import { statusOf, syncNow } from './sync.ts'
import { useConnectivity, useOutbox, useSync } from './use-outbox.ts'

export default function SyncSheet({ open, onOpenChange }: { open: boolean; onOpenChange: (isOpen: boolean) => void }) {
  const state = useSync()
  const connectivity = useConnectivity()
  const writes = useOutbox()
  const [isTrying, setTrying] = useState(false)
  const tryNow = async () => {
    setTrying(true)
    await syncNow().finally(() => setTrying(false))
  }
  const isNeedingSignIn = state.isSignedOut && state.waiting.length > 0
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        size="md"
        title="Sync"
        description={statusOf(state, connectivity).sentence}
        actions={
          isNeedingSignIn ? (
            <Button size="lg" asChild>
              <a href={`/auth?returnTo=${encodeURIComponent(location.pathname + location.search)}`}>Sign in</a>
            </Button>
          ) : (
            writes.length > 0 && (
              <Button size="lg" variant="secondary" pending={isTrying} pendingText="Trying..." onClick={() => void tryNow()}>
                <RefreshCw aria-hidden="true" />
                Sync now
              </Button>
            )
          )
        }
      >
        <PendingEntries
          writes={writes}
          empty={<p className="text-muted">Nothing is waiting. Entries you make offline are listed here until they’re sent.</p>}
        />
      </DialogContent>
    </Dialog>
  )
}
