import { Link } from '@tanstack/react-router'
import { PenLine } from 'lucide-react'
import type { MyBusiness } from '../../../contracts/businesses.ts'
import { Button } from '../../ui/button.tsx'
import { BestTimes } from './best-times.tsx'
import { DraftLists } from './draft-lists.tsx'
import { PublishedPosts } from './published-posts.tsx'

/** What a business says: what goes out when, what waits to be finished, what is out and what came of it. */
export function SocialTab({ business }: { business: MyBusiness }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-8">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="max-w-text text-muted text-sm">What you post reaches everybody who follows {business.name}.</p>
          <Button asChild>
            <Link to="/create-post" state={{ postAs: business.id }}>
              <PenLine aria-hidden="true" />
              New post
            </Link>
          </Button>
        </div>
        <DraftLists businessId={business.id} />
        <PublishedPosts businessId={business.id} />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-8">
        <BestTimes businessId={business.id} />
      </div>
    </div>
  )
}
