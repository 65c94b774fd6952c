import { Link } from '@tanstack/react-router'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** Covers both missing people and those hidden from this viewer, which must look the same. */
export function PersonNotFound() {
  return (
    <EmptyState level={1} title="Profile Not Found" description="This person doesn’t exist, or you can’t see them.">
      <Button asChild>
        <Link to="/">Go to your feed</Link>
      </Button>
    </EmptyState>
  )
}
