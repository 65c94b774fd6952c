import { useMutation } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
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

export function CheckEmail({ email, returnTo, onBack }: CheckEmailProps) {
  const resend = useMutation({
    mutationFn: () => call(requestEmailVerification, { body: { email, returnTo } }),
    onError: (error) => toast({ title: 'The link wasn’t sent', description: messageOf(error), variant: 'destructive' }),
  })
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
