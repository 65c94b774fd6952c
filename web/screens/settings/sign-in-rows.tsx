import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Laptop, MonitorSmartphone, Smartphone, Tablet } from 'lucide-react'
import { useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { changePassword, emailPasswordLink, endOtherSessions, endSession } from '#contracts/calls/sign-in.ts'
import { PasswordChange, type SignInSession, type SignInState } from '#contracts/sign-in.ts'
import { easyToGuess, isHardToGuess, ownWords } from '#web/entities/accounts/password-strength.ts'
import { afterSignInChange, sessionsOptions } from '#web/entities/accounts/sign-in.api.ts'
import { NewPasswordField } from '#web/entities/accounts/sign-up-fields.tsx'
import { showServerErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { brand } from '#web/lib/boot.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog, Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { SettingsTopic } from '#web/ui/settings-section.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'

export function PasswordRow({ state, isLocked }: { state: SignInState; isLocked: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const link = usePasswordLink(state.email)
  const { hasPassword, passwordChangedAt } = state
  return (
    <SettingsTopic
      title="Password"
      hint={
        hasPassword && passwordChangedAt ? (
          <>
            Last changed <Ago at={passwordChangedAt} />.
          </>
        ) : (
          'Your account doesn’t have a password. We’ll email you a link to set one.'
        )
      }
      action={
        hasPassword ? (
          <Button variant="secondary" disabled={isLocked} onClick={() => setOpen(true)}>
            Change password
          </Button>
        ) : (
          <Button variant="secondary" disabled={isLocked} pending={link.isPending} pendingText="Sending..." onClick={() => link.mutate()}>
            Email me a link
          </Button>
        )
      }
    >
      {isOpen && <PasswordDialog onClose={() => setOpen(false)} email={state.email} />}
    </SettingsTopic>
  )
}

const usePasswordLink = (email: string) =>
  useMutation({
    mutationFn: () => call(emailPasswordLink, {}),
    onSuccess: () => toast({ title: 'Check your email', description: `We sent ${email} a link to set a password.` }),
    onError: (error) => toast({ title: 'The link wasn’t sent', description: messageOf(error), variant: 'destructive' }),
  })

type Values = { currentPassword: string; password: string }

function PasswordDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const client = useQueryClient()
  const user = useCurrentUser()
  const words = ownWords({ email, firstName: user?.firstName ?? '', lastName: user?.lastName ?? '' }, brand.name)
  const link = usePasswordLink(email)
  const form = useForm<Values>({ defaultValues: { currentPassword: '', password: '' }, resolver: resolverWith(words) })
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async (body) => {
    try {
      await call(changePassword, { body })
      await afterSignInChange(client)
      toast({ title: 'Password changed', description: 'All other devices were signed out.' })
      onClose()
    } catch (error) {
      const rest = showServerErrors(form, error, ['currentPassword', 'password'])
      if (rest) toast({ title: 'The password wasn’t changed', description: rest, variant: 'destructive' })
    }
  })

  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title="Change password"
        description="This signs out every other device."
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form="change-password" pending={isSubmitting} pendingText="Saving...">
              Change password
            </Button>
          </>
        }
      >
        <form id="change-password" noValidate onSubmit={submit} className="grid gap-4">
          {/* Lets password managers match the account. */}
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          <div className="grid justify-items-start gap-2">
            <Field label="Current password" error={errors.currentPassword?.message} className="w-full">
              <PasswordInput {...form.register('currentPassword')} autoComplete="current-password" />
            </Field>
            <Button
              variant="quiet"
              size="sm"
              className="-ml-3"
              pending={link.isPending}
              pendingText="Sending..."
              onClick={() => link.mutate()}
            >
              Forgot it? Email me a link
            </Button>
          </div>
          <NewPasswordField control={form.control} name="password" label="New password" words={words} />
        </form>
      </DialogContent>
    </Dialog>
  )
}

const resolverWith =
  (words: string[]): Resolver<Values> =>
  async (values) => {
    const errors: Partial<Record<keyof Values, { type: string; message: string }>> = {}
    for (const { path, message } of PasswordChange.safeParse(values).error?.issues ?? []) {
      errors[path[0] as keyof Values] ??= { type: 'given', message }
    }
    if (!errors.password && !(await isHardToGuess(values.password, words))) errors.password = { type: 'weak', message: easyToGuess }
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} }
  }

const icons = { phone: Smartphone, tablet: Tablet, computer: Laptop, unknown: MonitorSmartphone }

export function SessionsRow() {
  const list = useInfiniteQuery(sessionsOptions)
  const sessions = list.data?.pages.flatMap((page) => page.items) ?? []
  const hasOthers = list.hasNextPage || sessions.some(({ isCurrent }) => !isCurrent)
  return (
    <SettingsTopic
      title="Devices"
      hint="Browsers where you’re signed in. We don’t store IP addresses or locations."
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
          // Phones show this below the text.
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
        They’ll need your password or a passkey to sign in again. You’ll still be signed in on this device.
      </ConfirmDialog>
    </>
  )
}
