import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { changePassword, mailPasswordLink } from '#contracts/calls/sign-in.ts'
import { PasswordChange, type SignInState } from '#contracts/sign-in.ts'
import { easyToGuess, isHardToGuess, ownWords } from '#web/entities/accounts/password-strength.ts'
import { afterSignInChange } from '#web/entities/accounts/sign-in.api.ts'
import { NewPasswordField } from '#web/entities/accounts/sign-up-fields.tsx'
import { showServerErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { brand } from '#web/lib/boot.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { SettingsTopic } from '#web/ui/settings-section.tsx'
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
          'Your account has no password. We’ll email you a link to set one.'
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
    mutationFn: () => call(mailPasswordLink, {}),
    onSuccess: () => toast({ title: 'Check your email', description: `We sent a link to set a password to ${email}.` }),
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
      toast({ title: 'Password changed', description: 'Every other device was signed out.' })
      onClose()
    } catch (error) {
      if (showServerErrors(form, error, ['currentPassword', 'password'])) return
      toast({ title: 'The password wasn’t changed', description: messageOf(error), variant: 'destructive' })
    }
  })

  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title="Change password"
        description="Signs out every other device."
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
