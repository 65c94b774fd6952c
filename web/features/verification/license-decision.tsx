import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { getWaiting } from '../../../contracts/admin.ts'
import { approvalsNeeded, approveVerification, rejectVerification, type WaitingVerification } from '../../../contracts/verification.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { toast } from '../../ui/toast-store.ts'
import { waitingVerificationsOptions } from './verification.api.ts'

type LicenseDecisionProps = {
  request: WaitingVerification
  /** The list is read anew: what was decided has left it. */
  onDecided: () => void
}

/** Approve, of which it takes two people, or reject with a reason, of which it takes one. */
export function LicenseDecision({ request, onDecided }: LicenseDecisionProps) {
  const { verification, business, approvals, mayApprove, mayReject, holder } = request
  const client = useQueryClient()
  const [dialog, setDialog] = useState<'approve' | 'reject' | null>(null)
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const reload = () =>
    Promise.all([waitingVerificationsOptions.queryKey, [getWaiting.path]].map((queryKey) => client.invalidateQueries({ queryKey })))
  const onError = (error: Error) => {
    setDialog(null)
    toast({ title: 'Nothing was decided', description: messageOf(error), variant: 'destructive' })
    void reload()
  }
  const params = { id: verification.id }
  const approve = useMutation({
    mutationFn: () => call(approveVerification, { params }),
    onSuccess: async ({ isVerified }) => {
      setDialog(null)
      toast({ title: isVerified ? 'License verified' : 'Approved: one more person is needed', description: business.name })
      await reload()
      onDecided()
    },
    onError,
  })
  const reject = useMutation({
    mutationFn: () => call(rejectVerification, { params, body: { reason } }),
    onSuccess: async () => {
      setDialog(null)
      toast({ title: 'License rejected', description: business.name })
      await reload()
      onDecided()
    },
    onError,
  })

  function sendReason(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (reason.trim() === '') {
      event.currentTarget.querySelector('textarea')?.focus()
      return setMissing(true)
    }
    if (!reject.isPending) reject.mutate()
  }

  if (!mayReject) return <p className="text-muted text-sm">You are in the team of this business: others decide.</p>
  const isLast = approvals.length === approvalsNeeded - 1
  const formId = `reject-${verification.id}`
  return (
    <div className="flex flex-wrap items-center gap-3">
      {mayApprove ? (
        <Button onClick={() => setDialog('approve')}>Approve</Button>
      ) : (
        <p className="text-muted text-sm">You approved it. Somebody else must, too.</p>
      )}
      <Button variant="secondary" onClick={() => setDialog('reject')}>
        Reject
      </Button>
      <Dialog open={dialog === 'approve'} onOpenChange={(open) => setDialog(open ? 'approve' : null)}>
        <DialogContent
          title={`Approve the license of ${business.name}?`}
          actions={
            <>
              <DialogCancel />
              <Button onClick={() => approve.mutate()} pending={approve.isPending} pendingText="Approving...">
                Approve
              </Button>
            </>
          }
        >
          <p className="text-muted">
            {isLast
              ? `You are the second: its page shows the license as verified at once.${holder?.isVerified ? ` ${holder.name} loses it.` : ''}`
              : 'You are the first of two. Nothing is shown until somebody else approves it as well.'}
          </p>
        </DialogContent>
      </Dialog>
      <Dialog open={dialog === 'reject'} onOpenChange={(open) => setDialog(open ? 'reject' : null)}>
        <DialogContent
          title={`Reject the license of ${business.name}?`}
          actions={
            <>
              <DialogCancel />
              <Button type="submit" form={formId} variant="danger" pending={reject.isPending} pendingText="Rejecting...">
                Reject
              </Button>
            </>
          }
        >
          <form id={formId} noValidate onSubmit={sendReason}>
            <Field label="Reason" hint="Its owner and managers read it in a mail." error={missing && 'Say why'}>
              <Textarea
                rows={4}
                maxLength={500}
                value={reason}
                onChange={(event) => {
                  setReason(event.target.value)
                  setMissing(false)
                }}
              />
            </Field>
          </form>
        </DialogContent>
      </Dialog>
    </div>
  )
}
