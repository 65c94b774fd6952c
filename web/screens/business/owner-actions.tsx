import { Link } from '@tanstack/react-router'
import { ChartColumn, PenLine, Store } from 'lucide-react'
import type { Business } from '#contracts/businesses.ts'
import { Button } from '#web/ui/button.tsx'

export const OwnerActions = ({ business }: { business: Business }) => (
  <>
    <Button asChild>
      <Link to="/create-post" state={{ postAs: business.id }}>
        <PenLine aria-hidden="true" />
        Post
      </Link>
    </Button>
    <Button asChild variant="secondary">
      <Link to="/business-dashboard" search={{ business: business.slug }}>
        <ChartColumn aria-hidden="true" />
        Dashboard
      </Link>
    </Button>
  </>
)

export const OwnerNote = () => (
  <p className="flex basis-full items-center gap-1.5 text-muted text-sm lg:justify-end">
    <Store aria-hidden="true" className="size-4 text-leaf" />
    You run this business
  </p>
)
