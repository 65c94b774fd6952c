import { useLocation } from '@tanstack/react-router'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Business } from '../../../contracts/businesses.ts'
import type { Rating, RatingSummary } from '../../../contracts/reviews.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { ModerationNote } from '../standing/moderation-note.tsx'
import { MutedNote, useMutedUntil } from '../standing/muted-note.tsx'
import { ReviewBody } from './review-body.tsx'
import { ReviewEditor } from './review-editor.tsx'
import { isWholeOnReturn, useOwnReview } from './use-own-review.ts'

/** The viewer's own part: their review, the place to write one, or why they cannot. */
export function OwnReview({ business, summary: { own, mayReview, refusal } }: { business: Business; summary: RatingSummary }) {
  // Another round is another editor: given up, it forgets what was in it.
  const [round, setRound] = useState(0)
  const [edited, setEdited] = useState<string | null>(null)
  const isEditing = own !== null && edited === own.id
  const mutedUntil = useMutedUntil()
  const part = useKeptFocus<HTMLDivElement>(own ? (isEditing ? 'editing' : 'written') : `new ${round}`)
  if (!own && !mayReview) return <Refusal text={refusal} />
  if (!own && mutedUntil) return <MutedNote until={mutedUntil} />
  return (
    <Card>
      <CardBody {...part} className="-outline-offset-2">
        {!own && <ReviewEditor key={round} business={business} own={null} onDone={() => setRound(round + 1)} />}
        {own && isEditing && <ReviewEditor business={business} own={own} onDone={() => setEdited(null)} />}
        {own && !isEditing && <Written business={business} own={own} onEdit={() => setEdited(own.id)} />}
      </CardBody>
    </Card>
  )
}

function Refusal({ text }: { text: string | null }) {
  const user = useCurrentUser()
  const here = useLocation({ select: ({ href }) => href })
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-input bg-sunk px-4 py-3">
      <p className="text-[0.9375rem]">{text ?? 'You cannot review this business.'}</p>
      {!user && (
        <Button asChild size="sm" variant="secondary">
          <a href={`/api/login?returnTo=${encodeURIComponent(here)}`}>Sign In</a>
        </Button>
      )}
    </div>
  )
}

function Written({ business, own, onEdit }: { business: Business; own: Rating; onEdit: () => void }) {
  const [isAsking, setAsking] = useState(false)
  const { remove } = useOwnReview(business.id)
  return (
    <article aria-label="Your review">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 className="text-lg">Your review</h3>
        <div className="-mr-2 flex gap-1">
          <Button variant="quiet" size="sm" onClick={onEdit}>
            <Pencil aria-hidden="true" />
            Edit
          </Button>
          <Button
            variant="quiet"
            size="sm"
            pending={remove.isPending}
            onClick={() => (isWholeOnReturn(own) ? remove.mutate(own) : setAsking(true))}
          >
            <Trash2 aria-hidden="true" />
            Delete
          </Button>
        </div>
      </div>
      <ReviewBody business={business} review={own} />
      <ModerationNote state={own.moderation} subject="review" heldFor={own.heldFor} className="mt-3" />
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Delete your review?"
        confirmText="Delete review"
        onConfirm={() => {
          setAsking(false)
          remove.mutate(own)
        }}
      >
        The answer to it, and how many found it helpful, are deleted with it and do not come back.
      </ConfirmDialog>
    </article>
  )
}
