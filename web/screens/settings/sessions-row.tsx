import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Laptop, MonitorSmartphone, Smartphone, Tablet } from 'lucide-react'
import { useState } from 'react'
import { endOtherSessions, endSession } from '#contracts/calls/sign-in.ts'
import type { SignInSession } from '#contracts/sign-in.ts'
import { afterSignInChange, sessionsOptions } from '#web/entities/accounts/sign-in.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SettingsTopic } from '#web/ui/settings-section.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'

const icons = { phone: Smartphone, tablet: Tablet, computer: Laptop, unknown: MonitorSmartphone }

export function SessionsRow() {
  const list = useInfiniteQuery(sessionsOptions)
  const sessions = list.data?.pages.flatMap((page) => page.items) ?? []
  const hasOthers = list.hasNextPage || sessions.some(({ isCurrent }) => !isCurrent)
  return (
    <SettingsTopic
      title="Devices"
      hint="Browsers where you’re signed in. We store no IP address and no location."
      action={hasOthers && <EndOthers />}
    >
      <PagedList
        list={list}
        loadingLabel="Loading your devices..."
        skeleton={<SkeletonRow />}
        failure="Your devices couldn’t be loaded"
        empty={<p className="text-muted text-sm">No devices are signed in.</p>}
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
    onError: (error) => toast({ title: 'The device wasn’t signed out', description: messageOf(error), variant: 'destructive' }),
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
          // On phones, below the text.
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
      toast({ title: ended === 1 ? '1 device was signed out' : `${ended} devices were signed out` })
    },
    onError: (error) => toast({ title: 'The devices weren’t signed out', description: messageOf(error), variant: 'destructive' }),
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
        They’ll need your password or a passkey again. This device stays signed in.
      </ConfirmDialog>
    </>
  )
}
