import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { changePassword, mailPasswordLink, PasswordChange, type SignInState } from '../../../contracts/sign-in.ts'
import { messageOf } from '../../lib/api-error.ts'
import { brand } from '../../lib/boot.ts'
import { call } from '../../lib/call.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { Ago } from '../../ui/ago.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { SettingsTopic } from '../../ui/settings-topic.tsx'
import { toast } from '../../ui/toast-store.ts'
import { NewPasswordField } from '../accounts/new-password-field.tsx'
import { easyToGuess, isHardToGuess, ownWords } from '../accounts/password-strength.ts'
import { showServerErrors } from '../accounts/server-errors.ts'
import { afterSignInChange } from './sign-in.api.ts'

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
          'Your account has none. We mail you a link to set one.'
        )
      }
      action={
        hasPassword ? (
          <Button variant="secondary" disabled={isLocked} onClick={() => setOpen(true)}>
            Change password
          </Button>
        ) : (
          <Button variant="secondary" disabled={isLocked} pending={link.isPending} pendingText="Sending..." onClick={() => link.mutate()}>
            Mail me a link
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
    onSuccess: () => toast({ title: 'Check your mailbox', description: `A link to set a password is on its way to ${email}.` }),
    onError: (error) => toast({ title: 'The link was not sent', description: messageOf(error), variant: 'destructive' }),
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
      toast({ title: 'The password was not changed', description: messageOf(error), variant: 'destructive' })
    }
  })

  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title="Change password"
        description="Every other device is signed out."
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
          {/* For password managers, which keep one by its name. */}
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
              Forgot it? Mail me a link
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
