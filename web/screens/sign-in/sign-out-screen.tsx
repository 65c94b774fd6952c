import { useEffect, useState } from 'react'
import { PendingEntries } from '#web/entities/offline/pending-entry.tsx'
import { startSync, sync } from '#web/entities/offline/sync.ts'
import { useConnectivity, useOutbox, useSync } from '#web/entities/offline/use-outbox.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The service worker reads `unsent`, and deletes stored data along with the session; see web/entities/offline/worker/pages.ts. */
const signOutUrl = (unsent: 'keep' | 'drop') => `/api/logout?unsent=${unsent}`

export function SignOutScreen() {
  const user = useCurrentUser()
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    if (user) void startSync(user.id).finally(() => setReady(true))
  }, [user])
  return (
    <div className="mx-auto grid max-w-feed gap-6 px-4 py-8">
      {isReady ? (
        <Unsent />
      ) : (
        <>
          <PageHeader title="Sign out" />
          <Skeleton className="h-32" />
        </>
      )}
    </div>
  )
}

function Unsent() {
  const writes = useOutbox()
  const { waiting } = useSync()
  const connectivity = useConnectivity()
  const [isSending, setSending] = useState(false)
  const [isDropping, setDropping] = useState(false)
  const count = waiting.length === 1 ? '1 entry hasn’t' : `${waiting.length} entries haven’t`

  async function send() {
    setSending(true)
    await sync().finally(() => setSending(false))
  }

  if (waiting.length === 0) {
    return (
      <>
        <PageHeader title="Sign out" description="Everything you entered on this device has been sent." />
        <div>
          <a href={signOutUrl('keep')} className={buttonClass('primary', 'lg')}>
            Sign Out
          </a>
        </div>
      </>
    )
  }
  return (
    <>
      <PageHeader
        title={`${count} been sent`}
        description="Your entries are stored only on this device. Send them first, or keep them here and we’ll send them when you next sign in on this device. No one else can see them."
      />
      <PendingEntries writes={writes} empty={null} />
      <div className="flex flex-wrap gap-2">
        {waiting.some(({ hold }) => !hold) && (
          <Button size="lg" pending={isSending} pendingText="Sending..." onClick={() => void send()}>
            {connectivity === 'offline' ? 'Try sending' : 'Send now'}
          </Button>
        )}
        <a href={signOutUrl('keep')} className={buttonClass('secondary', 'lg')}>
          Keep and sign out
        </a>
        {!isDropping && (
          <Button size="lg" variant="quiet" onClick={() => setDropping(true)}>
            Delete and sign out
          </Button>
        )}
      </div>
      {isDropping && (
        <div className="grid gap-3 rounded-card border border-clay p-4">
          <p role="alert">This deletes all unsent entries permanently. Delete them and sign out?</p>
          <div className="flex flex-wrap gap-2">
            <a href={signOutUrl('drop')} className={buttonClass('danger', 'lg')}>
              Delete permanently
            </a>
            <Button size="lg" variant="secondary" onClick={() => setDropping(false)}>
              Not now
            </Button>
          </div>
        </div>
      )}
    </>
  )
}
