import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { Link } from '@tanstack/react-router'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { requestPasswordReset } from '../../../contracts/accounts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { toast } from '../../ui/toast-store.ts'
import { AuthFrame, AuthSheet } from './auth-frame.tsx'
import { EmailField } from './fields.tsx'
import { signInDraft, withDraft } from './form-draft.ts'
import { Notice } from './notice.tsx'
import { showServerErrors } from './server-errors.ts'

/** The page /auth/forgot. What it answers does not tell whether an address is known. */
export default function ForgotPasswordScreen() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  // The address that somebody has just tried to sign in with.
  const [defaultValues] = useState(() => withDraft(signInDraft, { email: '' }))
  const form = useForm({ defaultValues, resolver: standardSchemaResolver(requestPasswordReset.body) })

  const submit = form.handleSubmit(async ({ email }) => {
    try {
      await call(requestPasswordReset, { body: { email } })
      setSentTo(email)
    } catch (error) {
      if (!showServerErrors(form, error, ['email'])) {
        toast({ title: 'The link was not sent', description: messageOf(error), variant: 'destructive' })
      }
    }
  })

  if (sentTo) {
    return (
      <AuthFrame>
        <Notice icon={<MailCheck />} title="Check your email">
          <p>If an account exists for {sentTo}, a link is on its way.</p>
          <p>It can take a minute; look into the spam folder too.</p>
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
      <AuthSheet title="Set a new password" description="Tell us the email of your account, and we send you a link.">
        <form noValidate onSubmit={submit} className="grid gap-4">
          <EmailField control={form.control} name="email" autoComplete="username" />
          <Button type="submit" size="lg" pending={form.formState.isSubmitting} pendingText="Sending..." className="mt-2">
            Send the link
          </Button>
          <Link to="/auth" className={`${textLink} justify-self-start text-sm`}>
            Back to sign in
          </Link>
        </form>
      </AuthSheet>
    </AuthFrame>
  )
}
