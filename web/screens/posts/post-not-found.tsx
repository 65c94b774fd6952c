import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

export function PostNotFound({ onBack }: { onBack: () => void }) {
  return (
    <EmptyState level={1} title="Post Not Found" description="It may have been deleted, or you may not have access.">
      <Button onClick={onBack}>
        <ArrowLeft aria-hidden="true" />
        Go Back
      </Button>
      <Button asChild variant="secondary">
        <Link to="/">Home</Link>
      </Button>
    </EmptyState>
  )
}
