import { useEffect, useState } from 'react'
import { useCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { buttonClass } from '../../ui/button-class.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PendingEntry } from './pending-entry.tsx'
import { startSync, sync } from './sync.ts'
import { useOutbox, useReach, useSync } from './use-outbox.ts'

/** The service worker knows the answer by `unsent`, and takes what was kept with the session: see worker/pages.ts. */
const signOutUrl = (unsent: 'keep' | 'drop') => `/api/logout?unsent=${unsent}`

/** Where somebody lands who signs out while entries wait that nobody else has. */
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
  const reach = useReach()
  const [isSending, setSending] = useState(false)
  const [isDropping, setDropping] = useState(false)
  const count = waiting.length === 1 ? '1 entry has' : `${waiting.length} entries have`

  async function send() {
    setSending(true)
    await sync().finally(() => setSending(false))
  }

  if (waiting.length === 0) {
    return (
      <>
        <PageHeader title="Sign out" description="Everything you wrote on this device has been sent." />
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
        title={`${count} not been sent`}
        description="What you wrote is on this device alone. Send it first, or keep it here: it is sent when you sign in again on this device, and nobody else sees it meanwhile."
      />
      <ul className="grid gap-3">
        {writes.map((write) => (
          <li key={write.id}>
            <PendingEntry write={write} />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        {waiting.some(({ hold }) => !hold) && (
          <Button size="lg" pending={isSending} pendingText="Sending..." onClick={() => void send()}>
            {reach === 'offline' ? 'Try to send' : 'Send now'}
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
          <p role="alert">Nothing of what waits here can be brought back. Delete it and sign out?</p>
          <div className="flex flex-wrap gap-2">
            <a href={signOutUrl('drop')} className={buttonClass('danger', 'lg')}>
              Delete for good
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
