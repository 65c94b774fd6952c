import { Link } from '@tanstack/react-router'
import { Ban, Flag } from 'lucide-react'
import { useState } from 'react'
import type { Business } from '../../../contracts/businesses.ts'
import { publicDisplayName } from '../../../contracts/display-name.ts'
import type { Rating } from '../../../contracts/reviews.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useBlockDialog } from '../businesses/use-block-dialog.tsx'
import { ReportDialog } from '../reports/report-dialog.tsx'
import { ReviewBody } from './review-body.tsx'

/** Somebody's review in the list. */
export function ReviewItem({ business, review }: { business: Business; review: Rating }) {
  const [isReporting, setReporting] = useState(false)
  const viewer = useCurrentUser()
  const { user, abilities } = review
  const name = publicDisplayName({ displayName: null, firstName: user.firstName, lastName: user.lastName })
  const block = useBlockDialog(business, { id: user.id, name })
  return (
    <article className="flex gap-3.5">
      <Avatar id={user.id} name={name} imageUrl={user.imageUrl} />
      <div className="min-w-0 flex-1">
        <div className="mb-1 flex items-start justify-between gap-3">
          <h4 className="font-semibold wrap-anywhere">
            {viewer ? (
              <Link to="/people/$id" params={{ id: user.id }} className="touch-target rounded-tag hover:underline hover:underline-offset-3">
                {name}
              </Link>
            ) : (
              name
            )}
          </h4>
          <div className="-mt-1 flex text-muted">
            {abilities.block && (
              <IconButton label={`Block ${name} from ${business.name}`} size="sm" onClick={block.open}>
                <Ban aria-hidden="true" className="size-4!" />
              </IconButton>
            )}
            {abilities.report && (
              <IconButton label={`Report the review of ${name}`} size="sm" onClick={() => setReporting(true)}>
                <Flag aria-hidden="true" className="size-4!" />
              </IconButton>
            )}
          </div>
        </div>
        <ReviewBody business={business} review={review} />
      </div>
      {block.dialog}
      {abilities.report && (
        <ReportDialog
          subject="review"
          subjectId={review.id}
          writer={{ kind: 'person', id: user.id, name }}
          open={isReporting}
          onOpenChange={setReporting}
        />
      )}
    </article>
  )
}
