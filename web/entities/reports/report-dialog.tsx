import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, Clock } from 'lucide-react'
import { type FormEvent, useId, useRef, useState } from 'react'
import { report } from '#contracts/calls/moderation.ts'
import { type ReportReason, reasonOf, reportReasons } from '#contracts/moderation.rules.ts'
import type { ReportSubject } from '#contracts/moderation.ts'
import { useBlockBusiness } from '#web/entities/businesses/block-business.ts'
import { useBlockPerson } from '#web/entities/people/block-and-mute.tsx'
import { fieldErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogClose, DialogContent } from '#web/ui/dialog.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { showErrors } from '#web/ui/focus.ts'
import { Textarea } from '#web/ui/input.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'
import type { ReportedWriter } from './report-words.ts'
import { subjectWords, whatFollows } from './report-words.ts'

const maxDetailsLength = 1000

type ReportDialogProps = {
  subject: ReportSubject
  subjectId: string
  writer?: ReportedWriter | null | undefined
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** The text survives closing the dialog by mistake. */
export function ReportDialog({ subject, subjectId, writer, open, onOpenChange }: ReportDialogProps) {
  const formId = useId()
  const [sent, setSent] = useState<ReportReason | null>(null)
  const [wasOpen, setWasOpen] = useState(open)
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) setSent(null)
  }
  const [draft, setDraft] = useState<Draft>({ reason: null, details: '' })
  const sending = useMutation({
    mutationFn: (reason: ReportReason) => call(report, { body: { subject, subjectId, reason, details: draft.details } }),
    onSuccess: (_answer, reason) => {
      setDraft({ reason: null, details: '' })
      setSent(reason)
    },
  })

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {sent ? (
        <DialogContent
          size="md"
          title="Report sent"
          actions={
            <DialogClose asChild>
              {/* The submit button, which had focus, was unmounted, so focus this one. */}
              <Button autoFocus>Done</Button>
            </DialogClose>
          }
        >
          <Sent subject={subject} reason={sent} writer={writer ?? null} onBlocked={() => onOpenChange(false)} />
        </DialogContent>
      ) : (
        <DialogContent
          size="md"
          title={`Report this ${subjectWords[subject]}`}
          description="Only our moderators see who reported it."
          actions={
            <>
              <DialogCancel />
              <Button type="submit" form={formId} pending={sending.isPending} pendingText="Sending...">
                Send report
              </Button>
            </>
          }
        >
          <ReportForm
            id={formId}
            draft={draft}
            onChange={setDraft}
            error={sending.error}
            onSubmit={(reason) => !sending.isPending && sending.mutate(reason)}
          />
        </DialogContent>
      )}
    </Dialog>
  )
}

type Draft = { reason: ReportReason | null; details: string }
type ReportFormProps = {
  id: string
  draft: Draft
  onChange: (draft: Draft) => void
  error: Error | null
  onSubmit: (reason: ReportReason) => void
}

function ReportForm({ id, draft, onChange, error, onSubmit }: ReportFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [isRefused, setRefused] = useState(false)
  const { reason, details } = draft
  const isUntold = reason === 'other' && details.trim() === ''
  const refused = fieldErrors(error)
  const reasonError = isRefused && !reason ? 'Choose a reason' : refused.reason
  const detailsError = isRefused && isUntold ? 'Tell us what’s wrong' : refused.details

  const submit = (event: FormEvent) => {
    event.preventDefault()
    // React events bubble through portals, to the form or card around the dialog.
    event.stopPropagation()
    if (reason && !isUntold) return onSubmit(reason)
    showErrors(form.current, () => setRefused(true))
  }

  return (
    <form id={id} ref={form} onSubmit={submit} noValidate className="grid gap-5">
      <RadioCards legend="What’s wrong?" error={reasonError} className="gap-2! sm:grid-flow-row! sm:grid-cols-2">
        {reportReasons.map((each) => (
          <RadioCard
            key={each}
            name="reason"
            value={each}
            title={reasonOf(each).title}
            description={reasonOf(each).description}
            checked={reason === each}
            onChange={() => onChange({ ...draft, reason: each })}
            className="p-3!"
          />
        ))}
      </RadioCards>
      {reason === 'intimate_image' && (
        <p role="status" className="flex items-start gap-2.5 rounded-input bg-sunk px-4 py-3 text-[0.9375rem]">
          <Clock aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-muted" />
          <span>A moderator decides within 48 hours of your report. Tell us below if it shows you or someone you represent.</span>
        </p>
      )}
      <Field label="Details" optional={reason !== 'other'} error={detailsError} hint="What a moderator should know or look at.">
        <Textarea
          rows={3}
          maxLength={maxDetailsLength}
          value={details}
          onChange={(event) => onChange({ ...draft, details: event.target.value })}
        />
      </Field>
      {error && !reasonError && !detailsError && <FormError>{messageOf(error)}</FormError>}
    </form>
  )
}

type SentProps = { subject: ReportSubject; reason: ReportReason; writer: ReportedWriter | null; onBlocked: () => void }

function Sent({ subject, reason, writer, onBlocked }: SentProps) {
  return (
    <div className="grid gap-5">
      <div role="status" className="grid gap-4">
        <p className="flex items-center gap-2.5">
          <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-leaf" />
          Thank you. Here’s what happens next:
        </p>
        <ol className="grid list-decimal gap-2 pl-9 marker:text-muted marker:tabular-nums">
          {whatFollows(subject, reason).map((sentence) => (
            <li key={sentence} className="pl-1">
              {sentence}
            </li>
          ))}
          <li className="pl-1">
            You can follow your report in{' '}
            <Link to="/standing" hash="own-reports" className={textLink}>
              your account status
            </Link>
            .
          </li>
        </ol>
      </div>
      {writer && <BlockOffer writer={writer} onBlocked={onBlocked} />}
    </div>
  )
}

type BlockOfferProps = { writer: ReportedWriter; onBlocked: () => void }

function BlockOffer(props: BlockOfferProps) {
  return props.writer.kind === 'person' ? <PersonOffer {...props} /> : <BusinessOffer {...props} />
}

function PersonOffer({ writer, onBlocked }: BlockOfferProps) {
  const { setBlocked } = useBlockPerson(writer)
  return (
    <Offer
      name={writer.name}
      onBlock={() => {
        onBlocked()
        setBlocked(true)
      }}
    >
      You won’t see each other’s posts or be able to message each other, and you’ll unfollow each other. No one is notified.
    </Offer>
  )
}

function BusinessOffer({ writer, onBlocked }: BlockOfferProps) {
  const { setBlocked } = useBlockBusiness(writer)
  return (
    <Offer
      name={writer.name}
      onBlock={() => {
        onBlocked()
        setBlocked(true)
      }}
    >
      You won’t see its posts, you’ll unfollow it, and any subscription will end. Its page remains in the directory.
    </Offer>
  )
}

type OfferProps = { name: string; onBlock: () => void; children: string }

const Offer = ({ name, onBlock, children }: OfferProps) => (
  <section aria-label={`Block ${name}`} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-input bg-sunk p-4">
    <div className="min-w-0 flex-1 basis-64">
      <p className="font-medium wrap-anywhere">Would you rather not see {name} again?</p>
      <p className="mt-0.5 text-muted text-sm">{children}</p>
    </div>
    <Button variant="secondary" onClick={onBlock}>
      Block {name}
    </Button>
  </section>
)
