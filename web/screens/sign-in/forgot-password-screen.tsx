import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { Link } from '@tanstack/react-router'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ResetRequest } from '#contracts/accounts.ts'
import { requestPasswordReset } from '#contracts/calls/accounts.ts'
import { EmailField } from '#web/forms/fields.tsx'
import { signInDraft, withDraft } from '#web/forms/form-draft.ts'
import { showServerErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Button } from '#web/ui/button.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { AuthFrame, AuthSheet } from './auth-frame.tsx'

/** The page /auth/forgot. The response doesn't reveal whether an address has an account. */
export default function ForgotPasswordScreen() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  // The address just tried on the sign-in form.
  const [defaultValues] = useState(() => withDraft(signInDraft, { email: '' }))
  const form = useForm({ defaultValues, resolver: standardSchemaResolver(ResetRequest) })

  const submit = form.handleSubmit(async ({ email }) => {
    try {
      await call(requestPasswordReset, { body: { email } })
      setSentTo(email)
    } catch (error) {
      if (!showServerErrors(form, error, ['email'])) {
        toast({ title: 'The link wasn’t sent', description: messageOf(error), variant: 'destructive' })
      }
    }
  })

  if (sentTo) {
    return (
      <AuthFrame>
        <Notice icon={<MailCheck />} title="Check your email">
          <p>If an account exists for {sentTo}, a link is on its way.</p>
          <p>It can take a minute. Check your spam folder, too.</p>
          <div className="mt-2 flex flex-wrap gap-3">
            <Button asChild variant="secondary">
              <Link to="/auth">Back to sign in</Link>
            </Button>
            <Button variant="quiet" onClick={() => setSentTo(null)}>
              Use another address
            </Button>
          </div>
        </Notice>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame>
      <AuthSheet title="Set a new password" description="Enter your account’s email, and we’ll send you a link.">
        <form noValidate onSubmit={submit} className="grid gap-4">
          <EmailField control={form.control} name="email" autoComplete="username" />
          <Button type="submit" size="lg" pending={form.formState.isSubmitting} pendingText="Sending..." className="mt-2">
            Send link
          </Button>
          <Link to="/auth" className={`${textLink} justify-self-start text-sm`}>
            Back to sign in
          </Link>
        </form>
      </AuthSheet>
    </AuthFrame>
  )
}
