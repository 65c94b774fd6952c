import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Laptop, MonitorSmartphone, Smartphone, Tablet } from 'lucide-react'
import { useState } from 'react'
import { endOtherSessions, endSession, type SignInSession } from '../../../contracts/sign-in.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Ago } from '../../ui/ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { SettingsTopic } from '../../ui/settings-topic.tsx'
import { SkeletonRow } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast-store.ts'
import { afterSignInChange, sessionsOptions } from './sign-in.api.ts'

const icons = { phone: Smartphone, tablet: Tablet, computer: Laptop, unknown: MonitorSmartphone }

/** Where one is signed in. */
export function SessionsRow() {
  const list = useInfiniteQuery(sessionsOptions)
  const sessions = list.data?.pages.flatMap((page) => page.items) ?? []
  const hasOthers = list.hasNextPage || sessions.some(({ isCurrent }) => !isCurrent)
  return (
    <SettingsTopic
      title="Devices"
      hint="Where you are signed in, by what the browser calls itself. We keep no IP address and no location."
      action={hasOthers && <EndOthers />}
    >
      <PagedList
        list={list}
        loadingLabel="Loading your devices..."
        skeleton={<SkeletonRow />}
        failure="Your devices could not be loaded"
        empty={<p className="text-muted text-sm">No device is signed in.</p>}
      >
        {(items) => (
          <ul className="grid divide-y divide-line rounded-input border border-line">
            {items.toSorted(currentFirst).map((session) => (
              <SessionItem key={session.id} session={session} />
            ))}
          </ul>
        )}
      </PagedList>
    </SettingsTopic>
  )
}

const currentFirst = (a: SignInSession, b: SignInSession) => Number(b.isCurrent) - Number(a.isCurrent)

function SessionItem({ session: { id, device, kind, isCurrent, signedInAt, lastUsedAt } }: { session: SignInSession }) {
  const client = useQueryClient()
  const Icon = icons[kind]
  const name = device ?? 'Unknown device'
  const end = useMutation({
    mutationFn: () => call(endSession, { params: { id } }),
    onSuccess: async () => {
      await afterSignInChange(client)
      toast({ title: `${name} was signed out` })
    },
    onError: (error) => toast({ title: 'The device was not signed out', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="flex min-w-0 flex-1 basis-56 gap-3">
        <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
            {name}
            {isCurrent && <Badge variant="leaf">This device</Badge>}
          </p>
          <p className="text-muted text-sm">
            {isCurrent ? (
              'In use now'
            ) : (
              <>
                Last used <Ago at={lastUsedAt} />
              </>
            )}{' '}
            · signed in <Ago at={signedInAt} />
          </p>
        </div>
      </div>
      {!isCurrent && (
        <Button
          variant="quiet"
          size="sm"
          pending={end.isPending}
          pendingText="Signing out..."
          onClick={() => end.mutate()}
          // On a phone it stands below, under the words.
          className="max-sm:ml-4.75"
        >
          <span>
            Sign out<span className="sr-only"> {name}</span>
          </span>
        </Button>
      )}
    </li>
  )
}

function EndOthers() {
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const end = useMutation({
    mutationFn: () => call(endOtherSessions, {}),
    onSuccess: async ({ ended }) => {
      await afterSignInChange(client)
      setOpen(false)
      toast({ title: ended === 1 ? 'One device was signed out' : `${ended} devices were signed out` })
    },
    onError: (error) => toast({ title: 'The devices were not signed out', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Sign out all others
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Sign out all other devices?"
        confirmText="Sign out all others"
        pending={end.isPending}
        pendingText="Signing out..."
        onConfirm={() => end.mutate()}
      >
        They ask for your password or a passkey again. This device stays signed in.
      </ConfirmDialog>
    </>
  )
}
