import { useMutation } from '@tanstack/react-query'
import { MailCheck, MailQuestion } from 'lucide-react'
import { requestEmailVerification } from '#contracts/calls/accounts.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast-store.ts'

type CheckEmailProps = {
  email: string
  returnTo?: string | undefined
  onBack(): void
}

const useResend = (email: string, returnTo?: string) =>
  useMutation({
    mutationFn: () => call(requestEmailVerification, { body: { email, returnTo } }),
    onError: (error) => toast({ title: 'The link wasn’t sent', description: messageOf(error), variant: 'destructive' }),
  })

/** For people who are signed in with an address that they haven't confirmed. */
export function ConfirmEmailBanner({ email }: { email: string }) {
  const resend = useResend(email)
  const send = () =>
    resend.mutate(undefined, { onSuccess: () => toast({ title: 'Check your email', description: `We sent another link to ${email}.` }) })
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2.5 rounded-card bg-sunk px-4 py-3">
      <p className="flex min-w-0 flex-1 basis-64 gap-2.5 text-sm">
        <MailQuestion aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-muted" />
        <span className="min-w-0 wrap-anywhere">
          Confirm your email: open the link we sent to <strong className="font-medium">{email}</strong>.
        </span>
      </p>
      <Button variant="quiet" size="sm" pending={resend.isPending} pendingText="Sending..." onClick={send} className="max-sm:ml-3.75">
        Send the link again
      </Button>
    </div>
  )
}

export function CheckEmail({ email, returnTo, onBack }: CheckEmailProps) {
  const resend = useResend(email, returnTo)
  return (
    <Notice icon={<MailCheck />} title="Check your email">
      <p>
        We sent a link to <strong className="font-medium text-ink">{email}</strong>. Open it to confirm your address, then sign in. The
        email can take a minute to arrive. Check your spam folder, too.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" pending={resend.isPending} pendingText="Sending..." onClick={() => resend.mutate()}>
          Send the link again
        </Button>
        <Button variant="quiet" onClick={onBack}>
          Back to sign in
        </Button>
      </div>
      <p role="status" className="min-h-6 text-sm">
        {resend.isSuccess && 'We sent another link.'}
      </p>
    </Notice>
  )
}
